import type { IptablesJump, IptablesRule } from './model.ts';

/** A rule that says what it is for. */
export const ruleOf = (comment: string | undefined, match: string, target: string | undefined, options = ''): IptablesRule => ({
  comment,
  match,
  target,
  options,
});

/** A rule as `iptables-restore` reads it, but for "-A" and its chain. */
export const formatRule = ({ comment, match, target, options }: IptablesRule): string => {
  let text = comment === undefined ? '' : `-m comment --comment ${formatComment(comment)}`;
  if (match !== '') text += text === '' ? match : ` ${match}`;
  if (target !== undefined) text += text === '' ? `-j ${target}` : ` -j ${target}`;
  return options === '' ? text : `${text} ${options}`;
};

/** A jump likewise. kube-proxy looks for its parts in this order, and puts it in where they are in another. */
export const formatJump = ({ match, comment, target }: IptablesJump, write: (comment: string) => string = formatComment): string =>
  [match, comment === undefined ? '' : `-m comment --comment ${write(comment)}`, `-j ${target}`].filter((part) => part !== '').join(' ');

/** A single word stands as it is. What could end the word, the quotes or the line is written so that it does not. */
export function formatComment(comment: string): string {
  if (oneWord.test(comment)) return comment;
  return `"${harmless.test(comment) ? comment : comment.replace(control, '?').replace(/["\\]/g, '\\$&')}"`;
}

const oneWord = /^[!#-&(-[\]-~]+$/;
const harmless = /^[ !#-[\]-~]*$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones to catch
const control = /[\u0000-\u001f\u007f]/g;
