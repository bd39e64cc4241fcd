import type { CelCompiler, CelLibrary, CelValueMaker } from '@kube-endpoints/cel/internal';
import * as names from '../formats/names.ts';
import { formats } from '../formats/strfmt.ts';
import { isDate, isDateTime } from '../formats/times.ts';
import { celLibrary, parserLibrary } from './library.ts';

export type Environment = InstanceType<CelLibrary['Environment']>;

/** The environment in which this server compiles and evaluates expressions. */
export interface CelHost {
  /** Has the functions of Kubernetes but no variables. */
  readonly environment: Environment;
  readonly compiler: CelCompiler;
  readonly values: CelValueMaker;
}

export function createCelHost(): CelHost {
  const { createCelCompiler, createValueMaker, kubernetesParts, withParts } = celLibrary();
  const library = parserLibrary();
  const compiler = createCelCompiler();
  const values = createValueMaker(library);
  const environment = withParts(compiler.extend(new library.Environment(options)), kubernetesParts(values, { names, texts: formatChecks }));
  return { environment, compiler, values };
}

const options: ConstructorParameters<CelLibrary['Environment']>[0] = {
  enableOptionalTypes: true,
  homogeneousAggregateLiterals: true,
  limits: { maxAstNodes: 10_000, maxDepth: 100, maxListElements: 1000, maxMapEntries: 1000, maxCallArguments: 32 },
};

const formatCheck = (format: string) => formats.get(format) as (text: string) => boolean;
const formatChecks = { uuid: formatCheck('uuid'), byte: formatCheck('byte'), date: isDate, datetime: isDateTime };
