/** Preloaded into a program: each SIGUSR2 shifts its wall clock by six hours, first forward, then back. */
const jumpMs = 6 * 3600 * 1000;
const realNow = Date.now;
const RealDate = Date;
let offsetMs = 0;
Date.now = () => realNow() + offsetMs;
globalThis.Date = class extends RealDate {
  constructor(...args) {
    super(...(args.length === 0 ? [realNow() + offsetMs] : args));
  }
  static now() {
    return realNow() + offsetMs;
  }
};
process.on('SIGUSR2', () => {
  offsetMs = offsetMs === 0 ? jumpMs : 0;
});
