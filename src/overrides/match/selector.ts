import type { Optional, StringMap } from '../../types/index.ts';

export type LabelMatcher = (labels: Optional<StringMap>) => boolean;

/** A selector for labels, or why it is none. */
export type ReadSelector = { readonly matches: LabelMatcher } | { readonly problem: string };

/**
 * Reads a selector as the API writes it: "app=web,tier!=test,zone in (a,b),!canary". As there, `!=` and `notin` match where the label is
 * missing. `<` and `>` are not read.
 */
export function readSelector(text: string): ReadSelector {
  const terms = splitTerms(text);
  if (!terms) return { problem: 'its parentheses do not match' };
  const matchers: LabelMatcher[] = [];
  for (const term of terms) {
    const matcher = readTerm(term);
    if (typeof matcher === 'string') return { problem: matcher };
    matchers.push(matcher);
  }
  return { matches: (labels) => matchers.every((matches) => matches(labels)) };
}

/** At commas that stand in no parentheses. */
function splitTerms(text: string): string[] | undefined {
  const terms: string[] = [];
  let open = false;
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    const sign = text[at];
    if (sign === '(' || sign === ')') {
      if (open === (sign === '(')) return undefined;
      open = !open;
    } else if (sign === ',' && !open) {
      terms.push(text.slice(from, at).trim());
      from = at + 1;
    }
  }
  terms.push(text.slice(from).trim());
  return open ? undefined : terms;
}

function readTerm(term: string): LabelMatcher | string {
  const [, not, bare] = /^(!?)\s*([^\s=!(),]+)$/.exec(term) ?? [];
  if (bare !== undefined) return named(bare, () => (labels) => (labelOf(labels, bare) === undefined) === (not === '!'));
  const [, key, operator, value] = /^([^\s=!(),]+)\s*(==|=|!=)\s*([^\s=!(),]*)$/.exec(term) ?? [];
  if (key !== undefined) return named(key, () => oneOf(key, [value as string], operator !== '!='));
  const [, member, verb, list] = /^([^\s=!(),]+)\s+(in|notin)\s*\(([^()]*)\)$/.exec(term) ?? [];
  if (member !== undefined) return named(member, () => oneOf(member, (list as string).split(',').map(trimmed), verb === 'in'));
  return term === '' ? 'there is nothing between two commas' : `${JSON.stringify(term.slice(0, 80))} is no requirement`;
}

/** Refuses what cannot be the name of a label. */
function named(key: string, make: () => LabelMatcher | string): LabelMatcher | string {
  return labelName.test(key) ? make() : `${JSON.stringify(key.slice(0, 80))} is no name of a label`;
}

function oneOf(key: string, values: readonly string[], wanted: boolean): LabelMatcher | string {
  const wrong = values.find((value) => !labelValue.test(value));
  if (wrong !== undefined) return `${JSON.stringify(wrong.slice(0, 80))} is no value of a label`;
  const set = new Set(values);
  return (labels) => {
    const value = labelOf(labels, key);
    return (value !== undefined && set.has(value)) === wanted;
  };
}

const labelOf = (labels: Optional<StringMap>, key: string): string | undefined =>
  labels && Object.hasOwn(labels, key) ? labels[key] : undefined;

const trimmed = (text: string): string => text.trim();

const labelName = /^(?:[a-z0-9](?:[-a-z0-9.]{0,251}[a-z0-9])?\/)?[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;
const labelValue = /^(?:[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?$/;
