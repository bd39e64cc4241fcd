import type { CelPart, CelProgram } from '@kube-endpoints/cel/internal';
import { type CompiledExpression, compileExpression } from './compile.ts';
import type { CelHost, Environment } from './environment.ts';
import { loadCelLibrary } from './library.ts';
import { constructorOf, type MessageLiteral, type RewrittenExpression, rewriteMessageLiterals } from './message-literals.ts';
import { formatProblem, toCelGoTypeName, typeOf } from './problems.ts';

const patchTypeName = 'JSONPatch';
const patchFields = { op: 'string', path: 'string', from: 'string', value: 'dyn' };

/** The value of `Object{...}`, `Object.spec{...}` and so on, or of `JSONPatch{...}`. */
export abstract class MessageValue extends Map<string, unknown> {
  abstract readonly typeName: string;
}

/**
 * Compiles an expression that may create messages and escape keys of JSON patches.
 *
 * Mirrors the environment of hasPatchTypes (apiserver/pkg/admission/plugin/cel/compile.go, 1.36).
 */
export function compilePatchExpression(
  source: string,
  environment: Environment,
  { compiler }: Pick<CelHost, 'compiler'>,
): CompiledExpression {
  const rewritten = rewriteMessageLiterals(source);
  const unknownLiteral = rewritten.literals.find(({ typeName }) => !/^(Object(\..*)?|JSONPatch)$/.test(typeName));
  if (unknownLiteral) {
    const message = `undeclared reference to '${unknownLiteral.typeName}' (in container '')`;
    return { problem: `compilation failed: ${formatProblem(source, unknownLiteral.brace, message)}` };
  }
  const typeNames = new Set(['Object', patchTypeName, ...rewritten.literals.map(({ typeName }) => typeName)]);
  if (typeNames.size > maxTypes) return { problem: `compilation failed: the expression has more than ${maxTypes} types of objects` };
  const extended = loadCelLibrary().registerParts(environment.clone(), [patchFunctions]);
  for (const typeName of typeNames) registerMessageType(extended, typeName);
  const format = (start: number, message: string): string => formatProblem(source, rewritten.toOriginal(start), message);
  const compiled = compileExpression(rewritten.source, extended, compiler, format);
  const problem = compiled.program && findFieldProblem(compiled.program.ast, rewritten, source);
  return problem === undefined ? compiled : { problem: `compilation failed: ${problem}` };
}

/** Registering a type takes time that grows with the number of types. */
const maxTypes = 1000;

const patchFunctions: CelPart = {
  namespaces: ['jsonpatch'],
  functions: [
    {
      signature: 'jsonpatch.escapeKey(string): string',
      run: (_: object, key: string) => key.replaceAll('~', '~0').replaceAll('/', '~1'),
    },
  ],
};

function registerMessageType(environment: Environment, typeName: string): void {
  const ctor = class extends MessageValue {
    override readonly typeName = typeName;
  };
  environment.registerType(typeName, { ctor, ...(typeName === patchTypeName && { fields: patchFields }) });
  environment.registerFunction(`${constructorOf(typeName)}(map<string, dyn>): ${typeName}`, ((fields: object) => {
    const value = new ctor();
    for (const [key, each] of fields instanceof Map ? fields : Object.entries(fields)) setField(value, key, each);
    return value;
  }) as never);
}

/** The library's optional values. */
interface OptionalValue {
  hasValue(): boolean;
  value(): unknown;
}

function setField(message: MessageValue, key: string, value: unknown): void {
  if (!key.startsWith('?')) message.set(key, value);
  else if ((value as OptionalValue).hasValue()) message.set(key.slice(1), (value as OptionalValue).value());
}

type Node = CelProgram['ast'];

/** Finds a field of a JSONPatch that does not exist or has another type. The values of rewritten fields are calls of `dyn`. */
function findFieldProblem(ast: Node, { literals, toOriginal }: RewrittenExpression, source: string): string | undefined {
  const functionName = constructorOf(patchTypeName);
  for (const node of loadCelLibrary().nodesIn(ast)) {
    if (node.op !== 'call' || node.args[0] !== functionName) continue;
    const literal = literals.find(({ brace }) => brace === toOriginal(node.range.start));
    const [map] = node.args[1];
    const entries = (map?.op === 'map' ? map.args : []) as readonly (readonly [Node, Node])[];
    for (const [i, [, value]] of entries.entries()) {
      const problem = literal?.fields[i] && checkField(literal.fields[i], value, source);
      if (problem !== undefined) return problem;
    }
  }
  return undefined;
}

function checkField({ name, colon }: MessageLiteral['fields'][number], value: Node, source: string): string | undefined {
  const type = value.op === 'call' && value.args[1][0] ? typeOf(value.args[1][0]) : 'dyn';
  const expected = Object.hasOwn(patchFields, name) ? patchFields[name as keyof typeof patchFields] : '';
  if (type === expected || expected === 'dyn' || (expected !== '' && type.startsWith('dyn'))) return undefined;
  return formatProblem(source, colon, `expected type of field '${name}' is '${expected}' but provided type is '${toCelGoTypeName(type)}'`);
}

/** Finds messages whose type does not have the name of their path. Mirrors CheckTypeNamesMatchFieldPathNames. */
export function findTypeNameProblems(value: unknown): readonly string[] {
  return value instanceof MessageValue ? checkTypeNames(value, value.typeName) : [];
}

function checkTypeNames(value: unknown, path: string): readonly string[] {
  if (value instanceof MessageValue) {
    const expectation = `expected ${JSON.stringify(path)}, which matches field name path from root Object type`;
    const own = value.typeName === path ? [] : [`unexpected type name ${JSON.stringify(value.typeName)}, ${expectation}`];
    return [...own, ...[...value].flatMap(([name, field]) => checkTypeNames(field, `${path}.${name}`))];
  }
  if (Array.isArray(value)) return value.flatMap((each) => checkTypeNames(each, path));
  return value instanceof Map ? [...value.values()].flatMap((each) => checkTypeNames(each, path)) : [];
}
