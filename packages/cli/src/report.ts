import type { Style } from './print/style.ts';

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
