import type { Gate } from '../../versions/index.ts';

/** A change between releases, as for the controllers, with its pull request if known. */
export type ProxyGate = Pick<Gate, 'feature' | 'since' | 'summary'> &
  Partial<Pick<Gate, 'backports' | 'until' | 'untilBackports' | 'reference'>>;
