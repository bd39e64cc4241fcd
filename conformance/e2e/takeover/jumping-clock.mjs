/** Loaded before a program: at each SIGUSR2 its time of day jumps by six hours, forth the first time, back the second. */
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
