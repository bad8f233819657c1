/**
 * The far end of the relay, inside the container: `node relay-inside.mjs <control port> <process to end> [address]`.
 *
 * It lends ports to the process outside. A connection to the control port says in its first line what
 * it is for: `serve <port>` waits to be paired with the next client of that port; `hold` keeps the
 * container alive: when the last of these ends, or none comes, the container ends. An empty line answers.
 */
import { createServer } from 'node:net';

const [controlPort, main, address] = process.argv.slice(2);
/** By lent port: connections from outside, and clients that wait for one. */
const lent = new Map();
let holding = 0;

const HOLD_WITHIN_MS = 120_000;
const endContainer = () => {
  process.kill(Number(main), 'SIGTERM');
  process.exit(); // The container's first process waits for all others.
};
const unheld = setTimeout(endContainer, HOLD_WITHIN_MS);

createServer({ noDelay: true }, (socket) => {
  socket.on('error', () => socket.destroy());
  socket.once('data', (data) => {
    const [purpose, port] = data.toString().trim().split(' ');
    if (purpose === 'hold') hold(socket);
    if (purpose === 'serve') void offer(Number(port), socket);
  });
}).listen(Number(controlPort));

function hold(socket) {
  holding += 1;
  clearTimeout(unheld);
  socket.resume();
  socket.write('\n');
  socket.once('close', () => {
    holding -= 1;
    if (holding === 0) endContainer();
  });
}

async function offer(port, socket) {
  const place = lent.get(port) ?? lend(port);
  socket.pause();
  await place.listening;
  socket.write('\n');
  socket.once('close', () => place.offers.delete(socket));
  place.offers.add(socket);
  pair(place);
}

function lend(port) {
  const place = { offers: new Set(), clients: [] };
  lent.set(port, place);
  const server = createServer({ noDelay: true, pauseOnConnect: true }, (client) => {
    client.on('error', () => client.destroy());
    place.clients.push(client);
    pair(place);
  });
  place.listening = new Promise((resolve) => server.listen(port, address, resolve));
  return place;
}

function pair(place) {
  const [offer] = place.offers;
  if (offer === undefined || place.clients.length === 0) return;
  const client = place.clients.shift();
  place.offers.delete(offer);
  client.once('close', () => offer.destroy());
  offer.once('close', () => client.destroy());
  client.pipe(offer).pipe(client);
}
