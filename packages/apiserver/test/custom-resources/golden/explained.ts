import type { RecordedStep } from './replay.ts';

/** A difference from kube-apiserver that is intended or does not concern custom resources. */
export interface Explained {
  readonly why: string;
  /** Whether this explains the difference between the recorded and the replayed answer to a request. */
  readonly isAbout: (step: Extract<RecordedStep, { code: number }>, recorded: string, replayed: string) => boolean;
}

export const explained: readonly Explained[] = [
  {
    why: 'rules in CEL are stored and not evaluated, and a warning says so',
    isAbout: (_, __, replayed) => replayed.includes('x-kubernetes-validations: rules are stored'),
  },
  {
    why: 'an empty list of versions counts for none, as everything that is empty does where objects are decoded',
    isAbout: (_, recorded) => recorded.includes('Invalid value: []: must have exactly one version'),
  },
  {
    why: 'the message of the storage names another path',
    isAbout: (_, recorded, replayed) => recorded.includes('StorageError') && replayed.includes('StorageError'),
  },
  {
    why: 'a Scale that cannot be read: the message of the real server is about a scheme of its own',
    isAbout: (_, recorded) => recorded.includes('no kind is registered for the type v1.Scale'),
  },
  {
    why: 'the message shows the whole object as it is after the patch, times and managed fields included',
    isAbout: (_, recorded, replayed) =>
      recorded.includes('is invalid: patch: Invalid value:') && replayed.includes('is invalid: patch: Invalid value:'),
  },
  {
    why: 'preconditions of a deletion are worded alike for all resources here',
    isAbout: ({ method, path }, recorded, replayed) =>
      method === 'DELETE' && path.includes('customresourcedefinitions') && recorded.includes('Conflict') && replayed.includes('Conflict'),
  },
  {
    why: 'a write to a scale begins with the scale that is read, and an object without replicas has none to read',
    isAbout: ({ path }, recorded, replayed) =>
      path.includes('/widgets/one') && (/spec replicas field|"replicas":4/.test(recorded) || replayed.includes('spec replicas field')),
  },
];
