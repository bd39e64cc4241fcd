import {
  formatRule,
  type IptablesChain,
  type IptablesRule,
  type IptablesRules,
  type IptablesTransaction,
  isUnordered,
  type PlacedRule,
  sharedChains,
  type TableTransaction,
} from './model.ts';

/**
 * Computes the smallest transaction from the old rules to the new rules. New and changed chains are written; unchanged chains keep their
 * counters and their session affinity. In the chains that all Services share, single rules are removed and inserted.
 * @param before undefined if kube-proxy has no rules on the node yet
 * @throws RangeError if the families differ
 */
export function diffIptables(before: IptablesRules | undefined, after: IptablesRules): IptablesTransaction {
  if (before && before.family !== after.family) {
    throw new RangeError(`rules of ${before.family} cannot become rules of ${after.family}: give rules of one family`);
  }
  return {
    family: after.family,
    tables: {
      filter: diffChains(before?.tables.filter, after.tables.filter),
      nat: diffChains(before?.tables.nat, after.tables.nat),
    },
    jumps: before ? [] : after.jumps,
  };
}

/** Whether the transaction changes nothing. */
export const isEmptyIptablesTransaction = ({ tables, jumps }: IptablesTransaction): boolean =>
  jumps.length === 0 && Object.values(tables).every((table) => Object.values(table).every((changes) => changes.length === 0));

function diffChains(before: readonly IptablesChain[] | undefined, after: readonly IptablesChain[]): TableTransaction {
  if (!before) return { write: after, remove: [], insert: [], delete: [] };
  const rulesByChain = new Map(before.map(({ name, rules }) => [name, rules]));
  const write: IptablesChain[] = [];
  const remove: PlacedRule[] = [];
  const insert: PlacedRule[] = [];
  for (const chain of after) {
    const previousRules = rulesByChain.get(chain.name);
    rulesByChain.delete(chain.name);
    if (previousRules && haveSameRules(previousRules, chain.rules)) continue;
    const edits = previousRules && isUnordered(chain.name) ? planEdits(chain.name, previousRules, chain.rules) : undefined;
    if (edits) {
      remove.push(...edits.remove);
      insert.push(...edits.insert);
    } else write.push(chain);
  }
  return { write, remove, insert, delete: [...rulesByChain.keys()] };
}

/** Whether two chains have equal rules in the same order. */
export const haveSameRules = (a: readonly IptablesRule[], b: readonly IptablesRule[]): boolean =>
  a === b || (a.length === b.length && a.every((rule, i) => isSameRule(rule, b[i] as IptablesRule)));

const isSameRule = (a: IptablesRule, b: IptablesRule): boolean =>
  a === b || (a.match === b.match && a.target === b.target && a.comment === b.comment && a.options === b.options);

/**
 * Plans the single rules to remove and insert; undefined if rewriting the chain takes fewer rules, or if a rule that must be last differs.
 */
function planEdits(
  chain: string,
  before: readonly IptablesRule[],
  after: readonly IptablesRule[],
): Pick<TableTransaction, 'remove' | 'insert'> | undefined {
  const newTexts = new Set(after.map(formatRule));
  const oldTexts = new Set(before.map(formatRule));
  const remove = before.filter((rule) => !newTexts.has(formatRule(rule)));
  const insert = after.filter((rule) => !oldTexts.has(formatRule(rule)));
  if (remove.length + insert.length > after.length || [...remove, ...insert].some(mustBeLast)) return undefined;
  const toPlacedRule = (rule: IptablesRule): PlacedRule => ({ chain, rule });
  return { remove: remove.map(toPlacedRule), insert: insert.map(toPlacedRule) };
}

const mustBeLast = ({ target }: IptablesRule): boolean => target === sharedChains.nodePorts;
