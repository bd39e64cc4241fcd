import type { EndpointSlice, EndpointSliceInput, Endpoints, EndpointsInput, Pod, Service } from 'kube-endpoints/types';

/** A write to apply rules to. Not modified. */
export interface OverrideRequest {
  readonly operation: 'CREATE' | 'UPDATE';
  /** The object to be written. Without a `kind`, its fields distinguish Endpoints from an EndpointSlice. */
  readonly object: EndpointsInput | EndpointSliceInput;
  /** The stored object. */
  readonly oldObject?: EndpointsInput | EndpointSliceInput | undefined;
  /** The Service and its pods, if the host knows them. */
  readonly service?: Service | undefined;
  readonly pods?: readonly Pod[] | undefined;
  /** For a slice, the other slices of its Service, for rules that count over the whole Service. */
  readonly otherSlices?: readonly EndpointSliceInput[] | undefined;
  readonly now: Date;
}

/** What a rule did to an object, or to one address. */
export interface Decision {
  readonly rule: string;
  /** A stable identifier. docs/semantics/overrides.md explains each code. */
  readonly code: DecisionCode;
  readonly message: string;
  /** An IP address. */
  readonly address?: string;
  /** True if the rule only reports what it would do. */
  readonly audit: boolean;
}

export interface JsonPatchOperation {
  readonly op: 'add' | 'remove' | 'replace';
  readonly path: string;
  readonly value?: unknown;
}

export interface OverrideResult {
  /**
   * The object to store; the identical input object if nothing changes. A getter that builds the object on first access; a spread does not
   * copy it.
   */
  readonly object: EndpointsInput | EndpointSliceInput | Endpoints | EndpointSlice;
  readonly changed: boolean;
  /** Operations of RFC 6902, relative to the input object. Empty if nothing changes. */
  readonly patch: readonly JsonPatchOperation[];
  /** Set if a rule refuses the write, with the reason for the client. Then `object` is the input object. */
  readonly refused?: Decision;
  readonly decisions: readonly Decision[];
  /** When a hold or a time window ends, as RFC 3339: resync the Service then, so that its controller writes the object again. */
  readonly due?: string;
}

/** Validated, compiled rules. */
export interface Overrides {
  readonly rules: readonly string[];
  /** The optional request fields that the host must give for every rule to be able to match. */
  readonly needs: { readonly service: boolean; readonly pods: boolean; readonly otherSlices: boolean };
  /**
   * The result depends only on the request. Applying the rules to their own result changes nothing.
   * @throws TypeError naming the invalid field of the request
   */
  apply(request: OverrideRequest): OverrideResult;
}

/** The message of each decision code; braces are placeholders. */
export const decisionMessages = {
  KeptIn: '{address} stays ready, as it is stored',
  KeptOut: '{address} is shown as not ready',
  TakenOut: '{address} is left out',
  MovedToReady: '{address} is shown as ready',
  MovedToNotReady: '{address} is shown as not ready',
  KeptReady: '{address} is kept ready: {wanted} of {total} addresses must be ready',
  TooFewToKeepReady: '{wanted} of {total} addresses must be ready, but only {found} can be',
  HeldUnready: '{address} is ready since {since}, and shown as ready from {until} on',
  HeldReady: '{address} is not ready since {since}, and shown so from {until} on',
  HoldFull: '{address} is not held: the object already has {limit} held addresses, the maximum',
  Frozen: 'the written content is replaced by the stored content',
  NothingToFreeze: 'nothing to freeze: the object is not stored yet',
  Refused: '{address} may not be an endpoint: {reason}',
  Dropped: '{address} is dropped: {reason}',
  ExpressionFailed: 'its expression failed and does not match: {reason}',
  Unsettled: 'nothing is changed: applied to their own result, the rules would change it again',
} as const;

/** The reason that a rule acted, or could not. */
export type DecisionCode = keyof typeof decisionMessages;

/** One problem in rules. */
export interface RulesProblem {
  /** Such as "rules[2].match.percentage"; empty for the document as a whole. */
  readonly path: string;
  /** 1-based; set if the rules were read from text. */
  readonly line?: number;
  readonly column?: number;
  readonly message: string;
  /** How to correct it. */
  readonly fix: string;
}

/** Invalid rules, with all problems. */
export class RulesError extends Error {
  override readonly name: string = 'RulesError';
  readonly problems: readonly RulesProblem[];
  /** The name of the source, as given by the caller. */
  readonly source: string | undefined;

  constructor(problems: readonly RulesProblem[], source?: string) {
    super(problems.map((problem) => describeProblem(problem, source)).join('\n'));
    this.problems = problems;
    this.source = source;
  }
}

/** Formats a problem in one line, such as "rules.yaml:7:15: rules[2].match.percentage: 120 is no share; give 0 to 100". */
export function describeProblem({ path, line, column, message, fix }: RulesProblem, source?: string): string {
  const position = [source, line, line === undefined ? undefined : column].filter((part) => part !== undefined).join(':');
  return [position, path, `${message}; ${fix}`].filter((part) => part !== '').join(': ');
}
