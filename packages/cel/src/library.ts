/**
 * The part of the CEL library that this package uses. It is passed as a value, because loading the library is slow and many callers do not
 * need it.
 */
export type CelLibrary = Pick<typeof import('@marcbachmann/cel-js'), 'Environment' | 'Optional'>;

/** Creates values of types that the library does not export. */
export interface CelValueMaker {
  createDuration(nanoseconds: bigint): object;
  /** Creates an optional. @param value undefined for an empty optional */
  createOptional(value: unknown): object;
}

export function createValueMaker({ Environment, Optional }: CelLibrary): CelValueMaker {
  const example = new Environment().evaluate('duration("1s")') as object;
  const Duration = example.constructor as new (seconds: bigint, nanoseconds: number) => object;
  return {
    createDuration(nanoseconds) {
      const fraction = ((nanoseconds % nanosecondsPerSecond) + nanosecondsPerSecond) % nanosecondsPerSecond;
      return new Duration((nanoseconds - fraction) / nanosecondsPerSecond, Number(fraction));
    },
    createOptional: (value) => Optional.of(value),
  };
}

export const nanosecondsPerSecond = 1_000_000_000n;

/** A function for expressions: its signature and implementation. */
export interface CelFunction {
  /** In the library's syntax: `string.charAt(int): string`, or `quantity(string): kubernetes.Quantity`. */
  readonly signature: string;
  /** Integers are bigints, lists are arrays, maps are Maps and times are Dates. @throws CelFailure if there is no result */
  readonly run: (...args: never[]) => unknown;
}

/** A type without literals: only functions create its values. */
export interface CelType {
  readonly name: string;
  readonly ctor: abstract new (...args: never[]) => object;
  /** The types of its fields by name; none by default. */
  readonly fields?: Readonly<Record<string, string>>;
  /** True if two values of this type are equal. */
  readonly equals: (a: never, b: never) => boolean;
}

/** Related functions and the types that they need. */
export interface CelPart {
  /**
   * Prefixes of functions without a receiver, such as `ip` in `ip.isCanonical(string): bool`. Passed to the function as the first argument.
   */
  readonly namespaces?: readonly string[];
  readonly types?: readonly CelType[];
  readonly functions: readonly CelFunction[];
}

/** The reason that an expression or function has no value. Messages are those of cel-go. */
export class CelFailure extends Error {
  override readonly name = 'CelFailure';
  /** The offset of a syntax error in the source. */
  readonly at: number | undefined;
  constructor(message: string, at?: number) {
    super(message);
    this.at = at;
  }
  /** The property that the library's errors have. */
  get summary(): string {
    return this.message;
  }
}
