import { isAlive, type Neighbours } from './neighbours.ts';
import { type Claim, createRing, formatClaim, hashOf, type Ring } from './ring.ts';

/**
 * The keys that a replica owns. It owns the keys that it claims, unless it has seen that another replica claims them too.
 *
 * 1. A replica writes its claim into its Lease, then reads the Leases of the others, and only then owns keys. If two replicas claim a key,
 *    at least one of them reads after the other has written: it sees the other's claim and does not own the key.
 * 2. While a replica replaces its claim, it owns only the keys that both claims contain; after further replacements, the keys that all of
 *    them contain. That ends when the last claim is known to be in the Lease and the other Leases were read after that.
 * 3. A replica owns keys only as long as no other replica may consider it gone: for `renewDeadline` after the start of the last renewal, and
 *    after the start of the last read that contained its own Lease. After that, it starts over with rule 1.
 */
export interface Holdings {
  owns(key: string): boolean;
  /** Time by `clock.elapsed()` until which this replica may own keys; undefined if it owns no keys. */
  readonly deadline: number | undefined;
  /** Everything that `owns` depends on except time, as text. While it is unchanged, so are the results of `owns`. */
  readonly fingerprint: string;
  /** Number of claims that may be in the Lease, each with its own ring; at most one if this replica owns no keys. */
  readonly claimCount: number;
  /** Call this before writing the claim, because the write may take effect even if it fails. */
  intend(claim: Claim): void;
  /** Call when the last intended claim is in the Lease. `term` is the acquireTime of the Lease. */
  confirm(renewal: { readonly start: number; readonly term: string }): void;
  /**
   * Call when the other Leases were read. `shown` is the claim in this replica's own Lease, or undefined if the list did not contain the
   * Lease.
   */
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
  const state: State = {
    options,
    activeClaims: [],
    rivals: [],
    term: undefined,
    pending: undefined,
    owning: false,
    renewedAt: 0,
    shownAt: 0,
  };
  return {
    owns: (key) => owns(state, key),
    get deadline() {
      return state.owning ? deadlineOf(state) : undefined;
    },
    get fingerprint() {
      return fingerprintOf(state);
    },
    get claimCount() {
      return state.activeClaims.length;
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

/** Other replicas with the same claim. Without a ring, their claim is unknown and may cover every key. */
interface Rivals {
  readonly claimedRing: ClaimedRing | undefined;
  readonly identities: Set<string>;
}

interface State {
  readonly options: HoldingsOptions;
  /** The claims that may be in the Lease, or may have been in it since the other Leases were read; the newest is last. */
  activeClaims: readonly ClaimedRing[];
  rivals: readonly Rivals[];
  term: string | undefined;
  /** The claim that was intended but not confirmed. */
  pending: ClaimedRing | undefined;
  /** Whether rule 1 is completed for the current term of the Lease. */
  owning: boolean;
  /** Start of the last renewal, by `clock.elapsed()`. */
  renewedAt: number;
  /** Start of the last list that contained this replica's own Lease, by `clock.elapsed()`. */
  shownAt: number;
}

function owns(state: State, key: string): boolean {
  const { options, activeClaims, rivals } = state;
  if (!state.owning || options.elapsed() >= deadlineOf(state)) return false;
  const hash = hashOf(key);
  const isClaimed = activeClaims.every(({ ring }) => ring.ownerOf(hash) === options.identity);
  return isClaimed && !rivals.some(({ claimedRing, identities }) => !claimedRing || identities.has(claimedRing.ring.ownerOf(hash) ?? ''));
}

function intend(state: State, claim: Claim): void {
  expire(state);
  const newest = state.activeClaims.at(-1);
  const claimedRing = ringOf(state, claim);
  state.pending = claimedRing;
  if (newest?.text === claimedRing.text) return;
  // If this replica owns no keys, earlier claims have no effect.
  state.activeClaims = state.owning ? [...state.activeClaims, claimedRing] : [claimedRing];
}

function confirm(state: State, { start, term }: { readonly start: number; readonly term: string }): void {
  expire(state);
  if (term !== state.term) state.owning = false;
  if (!state.owning) state.activeClaims = state.activeClaims.slice(-1);
  state.term = term;
  state.renewedAt = start;
  state.pending = undefined;
}

function observe(state: State, observation: Parameters<Holdings['observe']>[0]): void {
  expire(state);
  const { start, neighbours, shown } = observation;
  state.rivals = findRivals(state, neighbours, start);
  const newest = state.activeClaims.at(-1);
  // The Lease is missing, or another process wrote its claim, so other replicas may ignore the claims of this one.
  if (!newest || !state.activeClaims.some(({ text }) => text === shown)) {
    state.owning = false;
    return;
  }
  state.shownAt = start;
  if (state.pending || shown !== newest.text) return;
  state.activeClaims = [newest];
  state.owning = true;
}

/** Rule 3: after the deadline, this replica owns no keys until it has read the Leases again. */
function expire(state: State): void {
  if (state.owning && state.options.elapsed() >= deadlineOf(state)) state.owning = false;
}

function findRivals(state: State, neighbours: Neighbours, now: number): readonly Rivals[] {
  const rivalsByClaim = new Map<string, Rivals>();
  for (const neighbour of neighbours.values()) {
    if (!isAlive(neighbour, now)) continue;
    const { claim, identity } = neighbour;
    const claimedRing = claim && ringOf(state, claim);
    const text = claimedRing?.text ?? '';
    const rivals = rivalsByClaim.get(text) ?? { claimedRing, identities: new Set() };
    rivals.identities.add(identity);
    rivalsByClaim.set(text, rivals);
  }
  return [...rivalsByClaim.values()];
}

/** Reuses an existing ring, because building one is slow. */
function ringOf({ activeClaims, rivals }: State, claim: Claim): ClaimedRing {
  const text = formatClaim(claim);
  const existing = [...activeClaims, ...rivals.map(({ claimedRing }) => claimedRing)].find((claimedRing) => claimedRing?.text === text);
  return existing ?? { text, ring: createRing(claim) };
}

const deadlineOf = ({ renewedAt, shownAt, options }: State): number => Math.min(renewedAt, shownAt) + options.renewDeadline;

const fingerprintOf = ({ owning, activeClaims, rivals }: State): string =>
  owning
    ? JSON.stringify([
        activeClaims.map(({ text }) => text),
        rivals.map(({ claimedRing, identities }) => [claimedRing?.text, [...identities].sort()]),
      ])
    : '';
