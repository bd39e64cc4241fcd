import type { ASTNode } from '@marcbachmann/cel-js';
import { CelFailure, type CelPart } from '../library.ts';
import { type CheckedType, type Checker, type Macro, type MacroCall, removeGuards, type Scope } from './comprehensions.ts';
import { type ClauseLetter, clauses, isClauseLetter } from './format-clauses.ts';
import { kindOf } from './kinds.ts';
import { checkTextLength } from './limits.ts';

/**
 * Mirrors `format` of ext/formatting.go of cel-go 0.26. A macro, so that a list literal may mix types and a literal format string is
 * checked at compile time.
 */
export const formatFunctions: CelPart = { functions: [{ signature: 'string.format(ast): string', run: formatMacro }] };

function formatMacro({ ast, receiver, args }: MacroCall): Macro {
  const [list] = args as [ASTNode];
  return {
    typeCheck(checker, _, scope) {
      const textType = checker.check(receiver, scope);
      const argsType = createMixedListChecker(checker).check(list, scope);
      if (!isOfKind(textType, 'string') || !isOfKind(argsType, 'list')) {
        throw checker.createError(
          'no_matching_overload',
          `found no matching overload for '${textType.name}.format(${argsType.name})'`,
          ast,
        );
      }
      checkLiterals(removeGuards(receiver), removeGuards(list), createMixedListChecker(checker), scope);
      return checker.getType('string');
    },
    evaluate(evaluator, _, scope) {
      const text = evaluator.run(receiver, scope);
      const args = evaluator.run(list, scope);
      if (typeof text !== 'string' || !Array.isArray(args)) {
        throw new CelFailure(`no such overload: format(${kindOf(text)}, ${kindOf(args)})`);
      }
      return format(text, args);
    },
  };
}

const isOfKind = (type: CheckedType, kind: string): boolean => type.kind === 'dyn' || type.kind === kind || type.name === kind;

/** Derives a checker that accepts lists of mixed types. */
const createMixedListChecker = (checker: Checker): Checker =>
  Object.create(checker, { opts: { value: { ...checker.opts, homogeneousAggregateLiterals: false } } });

function checkLiterals(text: ASTNode | undefined, list: ASTNode | undefined, checker: Checker, scope: Scope): void {
  if (text?.op !== 'value' || typeof text.args !== 'string' || list?.op !== 'list') return;
  const types = list.args.map((each) => checker.check(each, scope));
  let clauseCount = 0;
  replaceClauses(text.args, types.length, (letter, _, index) => {
    clauseCount += 1;
    const type = types[index] as CheckedType;
    const kind = typeKinds[type.type] ?? type.type;
    const { kinds, problem } = clauses[letter];
    if (type.kind !== 'dyn' && !kinds.includes(kind)) throw new CelFailure(`error during formatting: ${problem}, was given ${kind}`);
    return '';
  });
  if (types.length > clauseCount)
    throw new CelFailure(`too many arguments supplied to string.format (expected ${clauseCount}, got ${types.length})`);
}

const typeKinds: Readonly<Record<string, string>> = { null: 'null_type', optional: 'optional_type' };

function format(text: string, args: readonly unknown[]): string {
  let length = text.length;
  return replaceClauses(text, args.length, (letter, precision, index) => {
    const { write } = clauses[letter];
    const formatted = prefixErrors(() => write(args[index], precision));
    length += formatted.length;
    checkTextLength(length);
    return formatted;
  });
}

function prefixErrors(write: () => string): string {
  try {
    return write();
  } catch (error) {
    throw error instanceof CelFailure ? new CelFailure(`error during formatting: ${error.message}`) : error;
  }
}

/** Replaces the clauses of a format string. @throws CelFailure if a clause is invalid, or if there are more clauses than arguments */
function replaceClauses(
  text: string,
  argCount: number,
  replace: (letter: ClauseLetter, precision: number | undefined, index: number) => string,
): string {
  let index = 0;
  let result = '';
  for (let i = 0; i < text.length; ) {
    const next = text.indexOf('%', i);
    if (next < 0) return result + text.slice(i);
    result += text.slice(i, next);
    if (text[next + 1] === '%') {
      result += '%';
      i = next + 2;
      continue;
    }
    if (index >= argCount) throw new CelFailure(`index ${index} out of range`);
    if (next + 1 >= text.length) throw new CelFailure('unexpected end of string');
    const { letter, precision, end } = parseClause(text, next + 1);
    result += replace(letter, precision, index);
    index += 1;
    i = end;
  }
  return result;
}

interface ParsedClause {
  readonly letter: ClauseLetter;
  readonly precision: number | undefined;
  readonly end: number;
}

function parseClause(text: string, from: number): ParsedClause {
  const [precisionText = '', digits] = /^(?:\.([0-9]*))?/.exec(text.slice(from)) ?? [];
  const index = from + precisionText.length;
  const problem = validatePrecision(digits, index >= text.length);
  if (problem) throw new CelFailure(`could not parse formatting clause: error while parsing precision: ${problem}`);
  const letter = text[index] as string;
  if (isClauseLetter(letter)) return { letter, precision: digits === undefined ? undefined : Number(digits), end: index + 1 };
  const [byte = 0] = new TextEncoder().encode(String.fromCodePoint(text.codePointAt(index) as number));
  throw new CelFailure(`could not parse formatting clause: unrecognized formatting clause "${String.fromCharCode(byte)}"`);
}

function validatePrecision(digits: string | undefined, isEnd: boolean): string | undefined {
  if (digits === undefined) return undefined;
  if (isEnd) return 'could not find end of precision specifier';
  const reason = digits === '' ? 'invalid syntax' : BigInt(digits) >= 2n ** 63n ? 'value out of range' : undefined;
  return reason && `error while converting precision to integer: strconv.Atoi: parsing "${digits}": ${reason}`;
}
