import type { IO } from '../base/io.ts';
import { createPainter, type Style, wantsColour } from './style.ts';

/** What a command found, ready to be printed in any format. */
export interface Report {
  /** Whether there is something that the exit code tells of. */
  readonly found: boolean;
  /** For people, a string a line. */
  text(style: Style): string[];
  /** For programs; the value that is printed as JSON or YAML. */
  data(): unknown;
  /** What cannot be answered; one line each, and exit code 2. */
  readonly errors?: readonly string[];
  readonly hints?: readonly string[];
}

/** The formats that only a trace has. */
export const pictureFormats: readonly string[] = ['mermaid', 'svg', 'html'] satisfies PictureFormat[];

export type PictureFormat = 'mermaid' | 'svg' | 'html';

/** The flags that choose how a report is printed. */
interface PrintFlags {
  readonly output: 'table' | 'wide' | 'yaml' | 'json' | PictureFormat;
  readonly color: boolean;
}

/** YAML is loaded only for those who ask for it. */
export async function printReport(report: Pick<Report, 'text' | 'data'>, flags: PrintFlags, io: Pick<IO, 'stdout' | 'env'>): Promise<void> {
  if (flags.output === 'json' || flags.output === 'yaml') {
    const { formatStructured } = await import('./structured.ts');
    io.stdout.write(formatStructured(report.data(), flags.output));
    return;
  }
  const lines = report.text(styleFor(flags, io));
  io.stdout.write(lines.map((line) => `${line}\n`).join(''));
}

/** The style that flags, terminal and environment ask for. */
const styleFor = ({ output, color }: PrintFlags, { stdout, env }: Pick<IO, 'stdout' | 'env'>): Style => ({
  paint: createPainter(wantsColour(color, stdout.isTTY, env)),
  width: stdout.isTTY ? stdout.columns : undefined,
  wide: output === 'wide',
});
