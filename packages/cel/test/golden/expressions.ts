import { format } from './expressions-format.ts';
import { formats } from './expressions-formats.ts';
import { ip } from './expressions-ip.ts';
import { lists } from './expressions-lists.ts';
import { optionals } from './expressions-optionals.ts';
import { quantity } from './expressions-quantity.ts';
import { regex } from './expressions-regex.ts';
import { semver } from './expressions-semver.ts';
import { sets } from './expressions-sets.ts';
import { standard } from './expressions-standard.ts';
import { strings } from './expressions-strings.ts';
import { url } from './expressions-url.ts';

/** The expressions of each area; the keys are the names of the golden files. */
export const expressionFiles: Readonly<Record<string, readonly string[]>> = {
  format,
  formats,
  ip,
  lists,
  optionals,
  quantity,
  regex,
  semver,
  sets,
  standard,
  strings,
  url,
};
