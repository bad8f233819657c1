/**
 * Preloaded, as a fault may skew time: `Date`, and only `Date`, is as late as the invocation says.
 *
 * Preloaded and not patched in later, because modules keep `Date.now` when they are imported. The
 * runtime reads the true time, and sets the skew, by the two symbols.
 */
const TrueDate = Date;
const trueNow = TrueDate.now;
let skewMs = 0;

const now = () => trueNow() + skewMs;
TrueDate.now = now;
globalThis.Date = new Proxy(TrueDate, {
  construct: (target, args, as) =>
    Reflect.construct(target, args.length === 0 ? [now()] : args, as),
  apply: () => new TrueDate(now()).toString(),
});
TrueDate.prototype.constructor = globalThis.Date;

globalThis[Symbol.for('penstock.true-now')] = trueNow;
globalThis[Symbol.for('penstock.set-skew')] = (ms) => void (skewMs = ms);
