export interface Style {
  readonly paint: Painter;
  /** Terminal width in columns. Undefined if the output is not a terminal: lines are not wrapped. */
  readonly width: number | undefined;
  /** True for `-o wide`: more columns. */
  readonly wide: boolean;
}

export type Colour = 'red' | 'green' | 'yellow' | 'cyan' | 'bold' | 'dim';
export type Painter = (text: string, colour: Colour | undefined) => string;

/** Creates a painter. @param enabled if false, the painter returns text unchanged */
export function createPainter(enabled: boolean): Painter {
  return enabled ? (text, colour) => (colour && text !== '' ? `\u001b[${ansiCodes[colour]}m${text}\u001b[0m` : text) : (text) => text;
}

/** False with `--no-color`, NO_COLOR or FORCE_COLOR=0; otherwise true with FORCE_COLOR, or on a terminal unless TERM is "dumb". */
export function isColoured(flag: boolean, isTTY: boolean, env: Readonly<Record<string, string | undefined>>): boolean {
  const forceColour = env['FORCE_COLOR'];
  if (!flag || env['NO_COLOR'] || forceColour === '0' || forceColour === 'false') return false;
  if (forceColour !== undefined) return true;
  return isTTY && env['TERM'] !== 'dumb';
}

const ansiCodes: Readonly<Record<Colour, number>> = { red: 31, green: 32, yellow: 33, cyan: 36, bold: 1, dim: 2 };
