import type { Environment } from '@marcbachmann/cel-js';
import { comprehensionFunctions } from './functions/comprehensions.ts';
import { formatFunctions } from './functions/format.ts';
import { type FormatValidators, namedFormatFunctions } from './functions/formats.ts';
import { ipFunctions } from './functions/ip.ts';
import { listFunctions } from './functions/lists.ts';
import { optionalFunctions } from './functions/optionals.ts';
import { quantityFunctions } from './functions/quantity.ts';
import { replacementSignature } from './functions/replacements.ts';
import { semverFunctions } from './functions/semver.ts';
import { setFunctions } from './functions/sets.ts';
import { stringFunctions } from './functions/strings.ts';
import { urlFunctions } from './functions/url.ts';
import type { CelPart, CelValueMaker } from './library.ts';

/**
 * Returns the Kubernetes functions that the library lacks or implements differently. Mirrors the base environment
 * (apiserver/pkg/cel/environment/base.go, 1.36). Pattern matching is not included: createCelCompiler adds it.
 * @param validators validators of named formats; without them, named formats are not available
 */
export const createKubernetesParts = (values: CelValueMaker, validators?: FormatValidators): readonly CelPart[] => [
  stringFunctions,
  formatFunctions,
  listFunctions,
  setFunctions,
  optionalFunctions,
  comprehensionFunctions,
  quantityFunctions,
  urlFunctions,
  ipFunctions,
  semverFunctions,
  ...(validators ? [namedFormatFunctions(values, validators)] : []),
];

/** Registers parts in an environment. Returns the same environment. */
export function registerParts(environment: Environment, parts: readonly CelPart[]): Environment {
  for (const { types = [], namespaces = [] } of parts) {
    for (const name of namespaces) {
      const Namespace = class {};
      environment.registerType(name, { ctor: Namespace, fields: {} }).registerConstant(name, name, new Namespace() as never);
    }
    for (const { name, ctor, equals, fields = {} } of types) {
      environment.registerType(name, { ctor: ctor as never, fields });
      environment.registerOperator(`${name} == ${name}`, equals as never);
    }
  }
  for (const { signature, run } of parts.flatMap(({ functions }) => functions)) {
    // Calls of some functions are renamed in expressions, so these functions are registered under both names.
    for (const each of new Set([signature, replacementSignature(signature)])) environment.registerFunction(each, run as never);
  }
  return environment;
}
