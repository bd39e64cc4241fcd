import type { CelCompiler, CelLibrary, CelValueMaker } from '@kube-endpoints/cel/internal';
import * as names from '../formats/names.ts';
import { formats } from '../formats/strfmt.ts';
import { isDate, isDateTime } from '../formats/times.ts';
import { loadCelLibrary, loadParserLibrary } from './library.ts';

export type Environment = InstanceType<CelLibrary['Environment']>;

/** The environment in which this server compiles and evaluates expressions. */
export interface CelHost {
  /** Has the functions of Kubernetes but no variables. */
  readonly environment: Environment;
  readonly compiler: CelCompiler;
  readonly valueMaker: CelValueMaker;
}

export function createCelHost(): CelHost {
  const { createCelCompiler, createValueMaker, createKubernetesParts, registerParts } = loadCelLibrary();
  const library = loadParserLibrary();
  const compiler = createCelCompiler();
  const valueMaker = createValueMaker(library);
  const environment = registerParts(
    compiler.extend(new library.Environment(environmentOptions)),
    createKubernetesParts(valueMaker, { names, texts: formatChecks }),
  );
  return { environment, compiler, valueMaker };
}

const environmentOptions: ConstructorParameters<CelLibrary['Environment']>[0] = {
  enableOptionalTypes: true,
  homogeneousAggregateLiterals: true,
  limits: { maxAstNodes: 10_000, maxDepth: 100, maxListElements: 1000, maxMapEntries: 1000, maxCallArguments: 32 },
};

const getFormatCheck = (format: string) => formats.get(format) as (text: string) => boolean;
const formatChecks = { uuid: getFormatCheck('uuid'), byte: getFormatCheck('byte'), date: isDate, datetime: isDateTime };
