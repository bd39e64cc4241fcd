import type { IO } from '../base/io.ts';
import { createPainter, isColoured, type Style } from './style.ts';

/** The result of a command, printable in any format. */
export interface Report {
  /** True if there is a problem or a difference. The exit code is then 1. */
  readonly hasFindings: boolean;
  /** The lines for table and wide output. */
  text(style: Style): string[];
  /** The value to print as JSON or YAML. */
  data(): unknown;
  /** Error messages, one line each; they cause exit code 2. */
  readonly errors?: readonly string[];
  /** True if other objects may show the cause of a problem: a command that can read more reads it, and reports again. */
  readonly needsMore?: boolean;
  /** Hints for the user, printed on standard error. */
  readonly hints?: readonly string[];
}

export type DiagramFormat = 'mermaid' | 'svg' | 'html';

/** The commands that support each output format that others do not. */
export const commandsByFormat: Readonly<Record<DiagramFormat, readonly string[]>> = {
  mermaid: ['trace'],
  svg: ['trace'],
  html: ['trace', 'rollout', 'drain', 'simulate'],
};

/** The output formats that only some commands support. */
export const diagramFormats: readonly string[] = Object.keys(commandsByFormat);

interface PrintFlags {
  readonly output: 'table' | 'wide' | 'yaml' | 'json' | DiagramFormat;
  readonly color: boolean;
}

/** Prints a report. Loads the YAML module only for JSON and YAML output. */
export async function printReport(report: Pick<Report, 'text' | 'data'>, flags: PrintFlags, io: Pick<IO, 'stdout' | 'env'>): Promise<void> {
  if (flags.output === 'json' || flags.output === 'yaml') {
    const { formatStructured } = await import('./structured.ts');
    io.stdout.write(formatStructured(report.data(), flags.output));
    return;
  }
  const lines = report.text(styleFor(flags, io));
  io.stdout.write(lines.map((line) => `${line}\n`).join(''));
}

const styleFor = ({ output, color }: PrintFlags, { stdout, env }: Pick<IO, 'stdout' | 'env'>): Style => ({
  paint: createPainter(isColoured(color, stdout.isTTY, env)),
  width: stdout.isTTY ? stdout.columns : undefined,
  wide: output === 'wide',
});
