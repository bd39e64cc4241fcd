import type { Decision } from '../overrides.ts';
import type { Entry } from '../view/entry.ts';
import type { CompiledAction, CompiledRule, Work } from './compiled.ts';
import { isSameContent } from './content.ts';
import { decisionOf } from './notes.ts';

/** The actions that say of an address at once what becomes of it, or of the object. A refusal ends everything. */
export function applyToLists(rule: CompiledRule, work: Work): Decision | undefined {
  const { action } = rule;
  if (action.kind === 'freeze') {
    freeze(rule, work);
    return undefined;
  }
  if (!isListed(action)) return undefined;
  const decide = deciders[action.kind] as Decider<typeof action.kind>;
  for (const entry of work.view.entries) {
    if (entry.gone === 'dropped' || (rule.entry && !rule.entry(entry, work.situation))) continue;
    const refusal = decide(entry, rule, work, action);
    if (refusal && !rule.audit) return refusal;
  }
  return undefined;
}

type ListKind = 'keepIn' | 'keepOut' | 'move' | 'refuse' | 'drop';

const isListed = (action: CompiledAction): action is Extract<CompiledAction, { kind: ListKind }> => Object.hasOwn(deciders, action.kind);

type Decider<K extends ListKind> = (
  entry: Entry,
  rule: CompiledRule,
  work: Work,
  action: Extract<CompiledAction, { kind: K }>,
) => Decision | undefined;

const deciders: { readonly [K in ListKind]: Decider<K> } = {
  keepIn(entry, rule, work) {
    if (isShown(entry) || entry.terminating || work.stored.isReady(entry) !== true) return undefined;
    note(rule, work, 'KeptIn', entry);
    if (!rule.audit) show(entry);
    return undefined;
  },
  keepOut(entry, rule, work, { absent }) {
    if (entry.gone || (!absent && !entry.ready && (!entry.terminating || entry.out))) return undefined;
    if (absent || entry.ready) note(rule, work, absent ? 'TakenOut' : 'KeptOut', entry);
    if (rule.audit) return undefined;
    if (absent) entry.gone = 'absent';
    else putOut(entry);
    return undefined;
  },
  move(entry, rule, work, { ready }) {
    if (ready ? isShown(entry) || entry.terminating : entry.gone || (!entry.ready && (!entry.terminating || entry.out))) return undefined;
    if (ready || entry.ready) note(rule, work, ready ? 'MovedToReady' : 'MovedToNotReady', entry);
    if (rule.audit) return undefined;
    if (ready) show(entry);
    else putOut(entry);
    return undefined;
  },
  drop(entry, rule, work, { check }) {
    const because = check(entry, work.situation);
    if (because === undefined) return undefined;
    note(rule, work, 'Dropped', entry, { because });
    if (!rule.audit) entry.gone = 'dropped';
    return undefined;
  },
  refuse(entry, rule, work, { check }) {
    const because = check(entry, work.situation);
    if (because === undefined) return undefined;
    note(rule, work, 'Refused', entry, { because });
    return decisionOf(rule, 'Refused', entry.ip, { because });
  },
};

const isShown = ({ ready, gone }: Entry): boolean => ready && !gone;

function show(entry: Entry): void {
  entry.gone = undefined;
  entry.ready = true;
  entry.out = false;
}

function putOut(entry: Entry): void {
  entry.ready = false;
  entry.out = true;
}

function note(rule: CompiledRule, { notes, acted }: Work, code: Decision['code'], { ip }: Entry, details = {}): void {
  notes.add(rule, code, ip, details);
  if (!rule.audit) acted.add(rule);
}

/** What rules before it did is undone; those behind it work on what is stored. */
function freeze(rule: CompiledRule, work: Work): void {
  const { notes, acted } = work;
  const storedView = work.storedView();
  if (!storedView) {
    notes.add(rule, 'NothingToFreeze');
    return;
  }
  if (!isSameContent(work)) {
    notes.add(rule, 'Frozen');
    if (!rule.audit) acted.add(rule);
  }
  if (rule.audit) return;
  work.view = storedView;
  work.frozen = true;
}
