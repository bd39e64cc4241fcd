import type { EndpointSliceInput } from 'kube-endpoints/types';
import type { EntryMatcher } from '../match/address.ts';
import type { ObjectMatcher } from '../match/object.ts';
import type { Entry } from '../view/entry.ts';
import type { View } from '../view/view.ts';
import type { Notes } from './notes.ts';
import type { RangeCheck } from './range-check.ts';
import type { Situation } from './situation.ts';
import type { Stored } from './stored.ts';

/** A rule that is ready to be asked. */
export interface CompiledRule {
  readonly name: string;
  readonly audit: boolean;
  readonly object: ObjectMatcher;
  /** Absent where it concerns every address. */
  readonly entry: EntryMatcher | undefined;
  readonly action: CompiledAction;
  /** Whether what rules do may make it match otherwise the next time: the object, or an address of one that it matches. */
  readonly looksAt: 'object' | 'addresses' | undefined;
}

export type CompiledAction =
  | { readonly kind: 'keepIn' }
  | { readonly kind: 'keepOut'; readonly absent: boolean }
  | { readonly kind: 'move'; readonly ready: boolean }
  | { readonly kind: 'freeze' }
  | { readonly kind: 'refuse'; readonly check: RangeCheck }
  | { readonly kind: 'drop'; readonly check: RangeCheck }
  | { readonly kind: 'hold'; readonly afterReady: number; readonly afterUnready: number }
  | { readonly kind: 'keepReady'; readonly atLeast: (total: number) => number };

/** What the rules work on while they are applied to one object. */
export interface Work {
  readonly situation: Situation;
  readonly incoming: View;
  /** What came in; where the object is frozen, what is stored. */
  view: View;
  /** Whether that is so. */
  frozen: boolean;
  readonly stored: Stored;
  storedView(): View | undefined;
  readonly siblings: readonly EndpointSliceInput[];
  readonly notes: Notes;
  /** Rules that changed something. */
  readonly acted: Set<CompiledRule>;
  /** What was made ready for there to be enough. */
  readonly takenBack: Set<Entry>;
}
