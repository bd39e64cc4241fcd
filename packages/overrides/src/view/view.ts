import type { Entry } from './entry.ts';
import type { Kind } from './kind.ts';

/** The addresses of an object, one by one, and what is needed to make an object of them again. */
export interface View {
  readonly kind: Kind;
  readonly entries: readonly Entry[];
  /** Whether the ports of an address are entries of their own. */
  readonly portsApart: boolean;
  /** Names of ports by their places; "" where they are not told apart. */
  readonly portNames: readonly string[];
}
