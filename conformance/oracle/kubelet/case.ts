import type {
  ActionsInput,
  ImageRequest,
  KillReason,
  KubeletContainer,
  KubeletPod,
  RuntimeStatus,
  StopBehaviour,
} from '@kube-endpoints/simulator/internal';

/** The program's modes, each of which runs one part of the kubelet. */
export const kubeletModes = ['actions', 'restart', 'pull', 'kill'] as const;
export type KubeletMode = (typeof kubeletModes)[number];

/** A case of each mode. */
export interface KubeletCases {
  readonly actions: ActionsCase;
  readonly restart: RestartCase;
  readonly pull: PullCase;
  readonly kill: KillCase;
}

export interface ActionsCase extends Omit<ActionsInput, 'status'> {
  readonly id: string;
  readonly runtime: ActionsInput['status'];
}

/** Times are in milliseconds since the start of the case. */
export interface RestartCase {
  readonly id: string;
  readonly pod: KubeletPod;
  readonly maxRestartPeriod: number;
  readonly attempts: readonly {
    readonly at: number;
    readonly container: KubeletContainer;
    readonly finishedAt?: number;
    readonly collect: boolean;
  }[];
}

export interface PullCase {
  readonly id: string;
  readonly attempts: readonly {
    readonly at: number;
    readonly uid: string;
    readonly image: string;
    readonly policy: ImageRequest['policy'];
    readonly fail?: string;
    readonly remove: boolean;
  }[];
}

export interface KillCase {
  readonly id: string;
  readonly pod: KubeletPod;
  readonly runtime: RuntimeStatus;
  readonly override?: number;
  /** Absent if the whole pod is killed. */
  readonly container?: { readonly id: string; readonly name: string; readonly message: string; readonly reason: KillReason };
  /** By container ID without the name of the runtime. */
  readonly behaviours: Readonly<Record<string, StopBehaviour>>;
}

export type KubeletCase = KubeletCases[KubeletMode];

export interface KubeletAnswer {
  readonly id: string;
  readonly [field: string]: unknown;
}
