/** The one consumer of a schedule. */
export const OF = { pipeline: 'orders', consumer: 'orders' } as const;
