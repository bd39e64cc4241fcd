import { comprehensionFunctions } from './functions/comprehensions.ts';
import { formatFunctions } from './functions/format.ts';
import { type CelTextForms, namedFormatFunctions } from './functions/formats.ts';
import { ipFunctions } from './functions/ip.ts';
import { listFunctions } from './functions/lists.ts';
import { optionalFunctions } from './functions/optionals.ts';
import { quantityFunctions } from './functions/quantity.ts';
import { semverFunctions } from './functions/semver.ts';
import { setFunctions } from './functions/sets.ts';
import { stringFunctions } from './functions/strings.ts';
import { urlFunctions } from './functions/url.ts';
import type { CelPart, CelValueMaker } from './library.ts';

/**
 * The functions of Kubernetes' expressions that the library lacks, or has otherwise; what matches patterns is among the bounds.
 *
 * Mirrors the base environment (apiserver/pkg/cel/environment/base.go, 1.36).
 */
export const kubernetesParts = (values: CelValueMaker, forms: CelTextForms): readonly CelPart[] => [
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
  namedFormatFunctions(values, forms),
];
