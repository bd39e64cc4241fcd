import type { Candidate } from './candidates.ts';
import { compareHosts } from './hosts.ts';
import { createReason, type GatewayReason } from './reasons.ts';
import { formatReference } from './reference.ts';

export interface Picked {
  /** The first candidate that matches, if every regular expression without an answer does not. */
  readonly winner: Candidate | undefined;
  /** The questions whose answers could choose another rule. */
  readonly open: readonly GatewayReason[];
}

/** @param candidates in the order of their precedence */
export function pickCandidate(candidates: readonly Candidate[]): Picked {
  const winner = candidates.find(({ match }) => match.matches);
  const position = winner ? candidates.indexOf(winner) : candidates.length;
  const rivals = candidates.filter(({ rule }) => rule !== winner?.rule);
  const isRegexPath = ({ http, hostname }: Candidate): boolean =>
    http?.type === 'RegularExpression' && (!winner || compareHosts(hostname, winner.hostname) === 0);
  const unanswered = rivals.filter(
    (each) => each.match.pattern !== undefined && (candidates.indexOf(each) < position || isRegexPath(each)),
  );
  const open = unanswered.map((each) => createReason('RegexUnknown', { pattern: JSON.stringify(each.match.pattern) }, locate(each)));
  return { winner, open: winner ? [...open, ...findConflicts(winner, rivals, isRegexPath)] : open };
}

/** Other candidates that match, and whose precedence is not defined. */
function findConflicts(winner: Candidate, rivals: readonly Candidate[], isRegexPath: (candidate: Candidate) => boolean): GatewayReason[] {
  const matching = rivals.filter(({ match }) => match.matches);
  const regex = matching.find((each) => isRegexPath(each) || (isRegexPath(winner) && compareHosts(each.hostname, winner.hostname) === 0));
  const otherKind = matching.find(({ info }) => info.reference.kind !== winner.info.reference.kind);
  const [matched, other] = isRegexPath(winner) ? [winner, regex] : [regex, winner];
  return [
    ...(matched && other && regex ? [createReason('RegexPrecedence', { other: describe(other) }, locate(matched))] : []),
    ...(otherKind ? [createReason('RulesConflict', { other: describe(otherKind) }, locate(winner))] : []),
    ...(winner.attachment?.open ?? []),
  ];
}

const locate = ({ info, path }: Candidate): { object: Candidate['info']['reference']; path: string } => ({ object: info.reference, path });

const describe = ({ info, path }: Candidate): string => `${path} of ${formatReference(info.reference)}`;
