import type { EndpointSlice, EndpointSliceInput, Endpoints, EndpointsInput, Pod, Service } from 'kube-endpoints/types';

/** What is asked about. Nothing of it is written to. */
export interface OverrideRequest {
  readonly operation: 'CREATE' | 'UPDATE';
  /** As it is to be written: by its `kind`, or where it has none by its fields, Endpoints or an EndpointSlice. */
  readonly object: EndpointsInput | EndpointSliceInput;
  /** As it is stored. */
  readonly oldObject?: EndpointsInput | EndpointSliceInput | undefined;
  /** Where the host knows them. */
  readonly service?: Service | undefined;
  readonly pods?: readonly Pod[] | undefined;
  /** Of a slice: the other slices of its Service, for what is counted over the whole Service. */
  readonly siblings?: readonly EndpointSliceInput[] | undefined;
  readonly now: Date;
}

/** What a rule made of an object, or of one address. */
export interface Decision {
  readonly rule: string;
  /** Stable; a table in the docs explains each. */
  readonly code: DecisionCode;
  readonly message: string;
  /** IP. */
  readonly address?: string;
  /** Whether the rule only tells what it would do. */
  readonly audit: boolean;
}

export interface JsonPatchOperation {
  readonly op: 'add' | 'remove' | 'replace';
  readonly path: string;
  readonly value?: unknown;
}

export interface OverrideResult {
  /**
   * The object to store; the very one that came in where nothing changes. Made when it is first asked for, as most hosts want the patch: to be
   * read by its name, for a spread leaves it out.
   */
  readonly object: EndpointsInput | EndpointSliceInput | Endpoints | EndpointSlice;
  readonly changed: boolean;
  /** RFC 6902, from the object that came in. Empty where nothing changes. */
  readonly patch: readonly JsonPatchOperation[];
  /** A rule refuses the write: which one, and why, for the one who wrote. Then the object is the one that came in. */
  readonly refused?: Decision;
  readonly decisions: readonly Decision[];
  /** When something that is held now is let go, as RFC 3339: whoever wrote the object should be asked for it again then. */
  readonly due?: string;
}

/** Rules that were read and found to be sound. */
export interface Overrides {
  readonly rules: readonly string[];
  /** What a host has to give with a request for every rule to be able to match. */
  readonly needs: { readonly service: boolean; readonly pods: boolean; readonly siblings: boolean };
  /**
   * Pure: the same request gives the same result, and a result that is asked about again is not changed again.
   * @throws TypeError naming the field of a request that is none
   */
  apply(request: OverrideRequest): OverrideResult;
}

/** What rules decide: the text for each, with what stands in braces filled in. */
export const decisionMessages = {
  KeptIn: '{address} stays ready, as it is stored',
  KeptOut: '{address} is shown as not ready',
  TakenOut: '{address} is left out',
  MovedToReady: '{address} is shown as ready',
  MovedToNotReady: '{address} is shown as not ready',
  KeptReady: '{address} is ready again: {wanted} of {total} have to be',
  TooFewToKeepReady: '{wanted} of {total} have to be ready, and {found} can be',
  HeldUnready: '{address} is ready since {since} and shown so from {until} on',
  HeldReady: '{address} is not ready since {since} and shown so from {until} on',
  HoldFull: '{address} is not held: {limit} addresses of the object are',
  Frozen: 'what is written is put back to what is stored',
  NothingToFreeze: 'nothing is stored that could stay as it is',
  Refused: '{address} may not be an endpoint: {because}',
  Dropped: '{address} is dropped: {because}',
  ExpressionFailed: 'its expression failed, and so does not match: {because}',
  Unsettled: 'nothing is changed: rules would undo what they did when asked about it again',
} as const;

/** Why a rule did something, or could not. */
export type DecisionCode = keyof typeof decisionMessages;

/** One thing that is wrong with rules. */
export interface RulesProblem {
  /** Where: "rules[2].match.percentage"; empty for the document as a whole. */
  readonly path: string;
  /** From 1, where the rules were read from text. */
  readonly line?: number;
  readonly column?: number;
  readonly message: string;
  /** What to do about it. */
  readonly fix: string;
}

/** Rules that are not taken, for all the reasons there are. */
export class RulesError extends Error {
  override readonly name: string = 'RulesError';
  readonly problems: readonly RulesProblem[];
  /** What the rules were read from, as the caller named it. */
  readonly source: string | undefined;

  constructor(problems: readonly RulesProblem[], source?: string) {
    super(problems.map((problem) => describeProblem(problem, source)).join('\n'));
    this.problems = problems;
    this.source = source;
  }
}

/** One line: "rules.yaml:7:15: rules[2].match.percentage: 120 is no share; give 0 to 100". */
export function describeProblem({ path, line, column, message, fix }: RulesProblem, source?: string): string {
  const place = [source, line, line === undefined ? undefined : column].filter((part) => part !== undefined).join(':');
  return [place, path, `${message}; ${fix}`].filter((part) => part !== '').join(': ');
}
