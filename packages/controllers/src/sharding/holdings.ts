import { isAlive, type Neighbours } from './neighbours.ts';
import { type Claim, claimText, createRing, hashOf, type Ring } from './ring.ts';

/**
 * Which keys a replica owns: those that it is known to claim, and that nobody else was seen to claim after that.
 *
 * 1. A claim is written into the replica's Lease before anything is owned by it; then the others' are read. Of two that claim a key, one at
 *    least reads after the other has written, and sees it. Who sees another's claim to a key does not own it.
 * 2. Before less is claimed, less is owned: while a claim is being replaced, only what both give counts, and so on with every further one,
 *    until the last is known to stand in the Lease and the others have been read after that.
 * 3. All of it counts only as long as no other may take this replica for gone: `renewDeadline` after the begin of the last renewal, and of
 *    the last look that showed its Lease among the others'. Once that has passed, rule 1 begins anew.
 */
export interface Holdings {
  owns(key: string): boolean;
  /** By `clock.elapsed()`: until when something can be owned; undefined where nothing is. */
  readonly deadline: number | undefined;
  /** What the answers of `owns` follow from, but for time: where it is the same, so are they. */
  readonly basis: string;
  /** How many claims it acts by, each with a ring of its own: those that may stand in the Lease, or one where nothing is owned. */
  readonly claims: number;
  /** This claim is going to be written; it may arrive, whatever becomes of the call. */
  intend(claim: Claim): void;
  /** The claim intended last stands in the Lease. The term tells one holding of the Lease from another. */
  confirm(renewal: { readonly start: number; readonly term: string }): void;
  /** The others were read; `shown` is what the replica's own Lease claims there, undefined where it was not among them. */
  look(look: { readonly start: number; readonly neighbours: Neighbours; readonly shown: string | undefined }): void;
  /** Owns nothing any more. */
  drop(): void;
}

export interface HoldingsOptions {
  readonly identity: string;
  readonly renewDeadline: number;
  readonly elapsed: () => number;
}

export function createHoldings(options: HoldingsOptions): Holdings {
  const state: State = { options, acting: [], rivals: [], term: undefined, pending: undefined, owning: false, renewed: 0, shown: 0 };
  return {
    owns: (key) => owns(state, key),
    get deadline() {
      return state.owning ? deadlineOf(state) : undefined;
    },
    get basis() {
      return basisOf(state);
    },
    get claims() {
      return state.acting.length;
    },
    intend: (claim) => intend(state, claim),
    confirm: (renewal) => confirm(state, renewal),
    look: (look) => see(state, look),
    drop: () => {
      state.owning = false;
    },
  };
}

interface Circle {
  readonly text: string;
  readonly ring: Ring;
}

/** Those who act by the same claim. Without a circle: by nobody knows what, so that everything may be theirs. */
interface Rivals {
  readonly circle: Circle | undefined;
  readonly identities: Set<string>;
}

interface State {
  readonly options: HoldingsOptions;
  /** What may stand in the Lease, or may have since the others were read; the last one is the newest. */
  acting: readonly Circle[];
  rivals: readonly Rivals[];
  term: string | undefined;
  /** Written, and not known to have arrived. */
  pending: Circle | undefined;
  /** Whether rule 1 has been gone through since the Lease was last in doubt. */
  owning: boolean;
  renewed: number;
  shown: number;
}

function owns(state: State, key: string): boolean {
  const { options, acting, rivals } = state;
  if (!state.owning || options.elapsed() >= deadlineOf(state)) return false;
  const hash = hashOf(key);
  const isClaimed = acting.every(({ ring }) => ring.ownerOf(hash) === options.identity);
  return isClaimed && !rivals.some(({ circle, identities }) => !circle || identities.has(circle.ring.ownerOf(hash) ?? ''));
}

function intend(state: State, claim: Claim): void {
  expire(state);
  const newest = state.acting.at(-1);
  const circle = circleOf(state, claim);
  state.pending = circle;
  if (newest?.text === circle.text) return;
  // Where nothing is owned, nothing can be owned by a claim before this one.
  state.acting = state.owning ? [...state.acting, circle] : [circle];
}

function confirm(state: State, { start, term }: { readonly start: number; readonly term: string }): void {
  expire(state);
  const isAnother = term !== state.term;
  if (isAnother) state.owning = false;
  if (!state.owning) state.acting = state.acting.slice(-1);
  state.term = term;
  state.renewed = start;
  state.pending = undefined;
}

function see(state: State, look: Parameters<Holdings['look']>[0]): void {
  expire(state);
  const { start, neighbours, shown } = look;
  state.rivals = rivalsIn(state, neighbours, start);
  const newest = state.acting.at(-1);
  // Not shown, or with a claim of somebody else's making: others may act as if there were none.
  if (!newest || !state.acting.some(({ text }) => text === shown)) {
    state.owning = false;
    return;
  }
  state.shown = start;
  if (state.pending || shown !== newest.text) return;
  state.acting = [newest];
  state.owning = true;
}

/** Rule 3: what could not be owned for a moment cannot be taken for owned again without another look. */
function expire(state: State): void {
  if (state.owning && state.options.elapsed() >= deadlineOf(state)) state.owning = false;
}

function rivalsIn(state: State, neighbours: Neighbours, moment: number): readonly Rivals[] {
  const byClaim = new Map<string, Rivals>();
  for (const neighbour of neighbours.values()) {
    if (!isAlive(neighbour, moment)) continue;
    const { claim, identity } = neighbour;
    const circle = claim && circleOf(state, claim);
    const text = circle?.text ?? '';
    const rivals = byClaim.get(text) ?? { circle, identities: new Set() };
    rivals.identities.add(identity);
    byClaim.set(text, rivals);
  }
  return [...byClaim.values()];
}

/** Rings take long to make and seldom change. */
function circleOf({ acting, rivals }: State, claim: Claim): Circle {
  const text = claimText(claim);
  const known = [...acting, ...rivals.map(({ circle }) => circle)].find((circle) => circle?.text === text);
  return known ?? { text, ring: createRing(claim) };
}

const deadlineOf = ({ renewed, shown, options }: State): number => Math.min(renewed, shown) + options.renewDeadline;

const basisOf = ({ owning, acting, rivals }: State): string =>
  owning
    ? JSON.stringify([acting.map(({ text }) => text), rivals.map(({ circle, identities }) => [circle?.text, [...identities].sort()])])
    : '';
