/** A handler that does what needs a right: it reads its secret, and gives one record up. */
import { defineHandler } from '#config/define-handler';

export default defineHandler(async ({ subject }, { secret }) => {
  await secret('tickets-api-token');
  if (subject === 'ticket-13') throw new Error('it is always so');
});
