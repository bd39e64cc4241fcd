import { isAlive, type Neighbours } from './neighbours.ts';
import { type Claim, claimText, createRing, hashOf, type Ring } from './ring.ts';

/**
 * Which keys a replica owns: those that it is known to claim, and that no other replica was seen to claim after that.
 *
 * 1. A replica writes a claim into its Lease before it owns anything by it, and then reads the Leases of the others. If two replicas claim
 *    a key, at least one of them reads after the other has written. A replica that sees another's claim to a key does not own the key.
 * 2. A replica owns less before it claims less: while a claim is being replaced, it owns only what both claims contain, and likewise with
 *    each further claim, until the last one is known to be in the Lease and the others have been read after that.
 * 3. All this applies only as long as no other replica may consider this one gone: for `renewDeadline` after the start of the last renewal,
 *    and of the last read that showed its own Lease. After that, rule 1 starts over.
 */
export interface Holdings {
  owns(key: string): boolean;
  /** Time by `clock.elapsed()` until which keys can be owned; undefined if none are. */
  readonly deadline: number | undefined;
  /** Everything that `owns` depends on except time: if it is unchanged, so are the results. */
  readonly basis: string;
  /** Number of claims in use, each with its own ring: those that may be in the Lease, or at most one if nothing is owned. */
  readonly claims: number;
  /** Call before this claim is written: it may take effect whatever the result of the call. */
  intend(claim: Claim): void;
  /** Call when the last intended claim is in the Lease. `term` identifies the holding of the Lease. */
  confirm(renewal: { readonly start: number; readonly term: string }): void;
  /** Call when the others were read. `shown`: the claim in the replica's own Lease; undefined if the list did not contain that Lease. */
  observe(observation: { readonly start: number; readonly neighbours: Neighbours; readonly shown: string | undefined }): void;
  /** Gives up all keys. */
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
    observe: (observation) => observe(state, observation),
    drop: () => {
      state.owning = false;
    },
  };
}

interface ClaimedRing {
  readonly text: string;
  readonly ring: Ring;
}

/** Replicas with the same claim. Without a circle their claim is unknown, and may cover every key. */
interface Rivals {
  readonly claimedRing: ClaimedRing | undefined;
  readonly identities: Set<string>;
}

interface State {
  readonly options: HoldingsOptions;
  /** The claims that may be in the Lease, or may have been since the others were read; the newest is last. */
  acting: readonly ClaimedRing[];
  rivals: readonly Rivals[];
  term: string | undefined;
  /** The claim that was intended but not confirmed. */
  pending: ClaimedRing | undefined;
  /** Whether rule 1 has been completed since the Lease was last in doubt. */
  owning: boolean;
  renewed: number;
  shown: number;
}

function owns(state: State, key: string): boolean {
  const { options, acting, rivals } = state;
  if (!state.owning || options.elapsed() >= deadlineOf(state)) return false;
  const hash = hashOf(key);
  const isClaimed = acting.every(({ ring }) => ring.ownerOf(hash) === options.identity);
  return isClaimed && !rivals.some(({ claimedRing, identities }) => !claimedRing || identities.has(claimedRing.ring.ownerOf(hash) ?? ''));
}

function intend(state: State, claim: Claim): void {
  expire(state);
  const newest = state.acting.at(-1);
  const claimedRing = ringOf(state, claim);
  state.pending = claimedRing;
  if (newest?.text === claimedRing.text) return;
  // If nothing is owned, earlier claims have no effect.
  state.acting = state.owning ? [...state.acting, claimedRing] : [claimedRing];
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

function observe(state: State, observation: Parameters<Holdings['observe']>[0]): void {
  expire(state);
  const { start, neighbours, shown } = observation;
  state.rivals = rivalsIn(state, neighbours, start);
  const newest = state.acting.at(-1);
  // The Lease is not listed, or has a claim of another origin: other replicas may act as if this one had no claim.
  if (!newest || !state.acting.some(({ text }) => text === shown)) {
    state.owning = false;
    return;
  }
  state.shown = start;
  if (state.pending || shown !== newest.text) return;
  state.acting = [newest];
  state.owning = true;
}

/** Rule 3: after the deadline, nothing is owned again without another read. */
function expire(state: State): void {
  if (state.owning && state.options.elapsed() >= deadlineOf(state)) state.owning = false;
}

function rivalsIn(state: State, neighbours: Neighbours, moment: number): readonly Rivals[] {
  const byClaim = new Map<string, Rivals>();
  for (const neighbour of neighbours.values()) {
    if (!isAlive(neighbour, moment)) continue;
    const { claim, identity } = neighbour;
    const claimedRing = claim && ringOf(state, claim);
    const text = claimedRing?.text ?? '';
    const rivals = byClaim.get(text) ?? { claimedRing, identities: new Set() };
    rivals.identities.add(identity);
    byClaim.set(text, rivals);
  }
  return [...byClaim.values()];
}

/** Reuses a known ring: rings are slow to build and seldom change. */
function ringOf({ acting, rivals }: State, claim: Claim): ClaimedRing {
  const text = claimText(claim);
  const known = [...acting, ...rivals.map(({ claimedRing }) => claimedRing)].find((claimedRing) => claimedRing?.text === text);
  return known ?? { text, ring: createRing(claim) };
}

const deadlineOf = ({ renewed, shown, options }: State): number => Math.min(renewed, shown) + options.renewDeadline;

const basisOf = ({ owning, acting, rivals }: State): string =>
  owning
    ? JSON.stringify([
        acting.map(({ text }) => text),
        rivals.map(({ claimedRing, identities }) => [claimedRing?.text, [...identities].sort()]),
      ])
    : '';
