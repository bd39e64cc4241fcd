import type { Environment } from '@marcbachmann/cel-js';
import { ownSignature } from './functions/replaced.ts';
import type { CelPart } from './library.ts';

/** The environment that was given, with more in it. */
export function withParts(environment: Environment, parts: readonly CelPart[]): Environment {
  for (const { types = [], namespaces = [] } of parts) {
    for (const name of namespaces) {
      const Namespace = class {};
      environment.registerType(name, { ctor: Namespace, fields: {} }).registerConstant(name, name, new Namespace() as never);
    }
    for (const { name, ctor, same } of types) {
      environment.registerType(name, { ctor: ctor as never, fields: {} });
      environment.registerOperator(`${name} == ${name}`, same as never);
    }
  }
  for (const { signature, run } of parts.flatMap(({ functions }) => functions)) {
    // some are called by a name of their own as well
    for (const each of new Set([signature, ownSignature(signature)])) environment.registerFunction(each, run as never);
  }
  return environment;
}
