import type { RecordedStep } from './replay.ts';

/** A difference from kube-apiserver that is intended or does not concern custom resources. */
export interface ExplainedDifference {
  readonly reason: string;
  /** Whether this explains the difference between the recorded and the replayed answer to a request. */
  readonly explains: (step: Extract<RecordedStep, { code: number }>, recordedText: string, replayedText: string) => boolean;
}

export const explainedDifferences: readonly ExplainedDifference[] = [
  {
    reason: 'this server decodes an empty list of versions as an absent list',
    explains: (_, recordedText) => recordedText.includes('Invalid value: []: must have exactly one version'),
  },
  {
    reason: 'a StorageError contains a different storage path',
    explains: (_, recordedText, replayedText) => recordedText.includes('StorageError') && replayedText.includes('StorageError'),
  },
  {
    reason: 'kube-apiserver reports an unreadable Scale with an internal message about its scheme',
    explains: (_, recordedText) => recordedText.includes('no kind is registered for the type v1.Scale'),
  },
  {
    reason: 'the message shows the whole patched object, including times and managed fields',
    explains: (_, recordedText, replayedText) =>
      recordedText.includes('is invalid: patch: Invalid value:') && replayedText.includes('is invalid: patch: Invalid value:'),
  },
  {
    reason: 'this server has the same message for failed deletion preconditions of all resources',
    explains: ({ method, path }, recordedText, replayedText) =>
      method === 'DELETE' &&
      path.includes('customresourcedefinitions') &&
      recordedText.includes('Conflict') &&
      replayedText.includes('Conflict'),
  },
  {
    reason: 'this server cannot update the scale of an object without replicas, because it cannot read that scale',
    explains: ({ path }, recordedText, replayedText) =>
      path.includes('/widgets/one') &&
      (/spec replicas field|"replicas":4/.test(recordedText) || replayedText.includes('spec replicas field')),
  },
];
