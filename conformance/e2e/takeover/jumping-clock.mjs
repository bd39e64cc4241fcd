/** Preloaded into a program: each SIGUSR2 shifts its wall clock by six hours, first forward, then back. */
const jump = 6 * 3600 * 1000;
const real = Date.now;
const RealDate = Date;
let offset = 0;
Date.now = () => real() + offset;
globalThis.Date = class extends RealDate {
  constructor(...given) {
    super(...(given.length === 0 ? [real() + offset] : given));
  }
  static now() {
    return real() + offset;
  }
};
process.on('SIGUSR2', () => {
  offset = offset === 0 ? jump : 0;
});
