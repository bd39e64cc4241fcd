import { matcherOfLabels, parseLabelSelector } from 'kube-endpoints/internal';
import type { Optional, StringMap } from 'kube-endpoints/types';

export type LabelMatcher = (labels: Optional<StringMap>) => boolean;

/** A selector for labels, or why it is none. */
export type ReadSelector = { readonly matches: LabelMatcher } | { readonly problem: string };

/** Reads a selector as the API writes it: "app=web,tier!=test,zone in (a,b),!canary". One for everything is none, and left out. */
export function readSelector(text: string): ReadSelector {
  const parsed = parseLabelSelector(text);
  if (parsed.problem !== undefined) return parsed;
  if (parsed.requirements.length === 0) return { problem: 'there is no requirement in it' };
  const matches = matcherOfLabels(parsed.requirements);
  return { matches: (labels) => matches(labels ?? none) };
}

const none: StringMap = {};
