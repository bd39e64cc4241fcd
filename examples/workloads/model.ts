/** The format of the workload tables. A row describes a team's workload and its state; `generate.ts` generates the objects. */

/** The state of a pod. */
export type PodState =
  | 'ready'
  | 'starting'
  | 'crashing'
  | 'terminating'
  | 'evicted'
  | 'completed'
  | 'failed'
  | 'creating'
  | 'unschedulable';

/** Pods with the same template: the pods of a ReplicaSet, or all of a StatefulSet, DaemonSet or Job. */
export interface Revision {
  /** The pod-template-hash or controller-revision-hash. */
  readonly hash: string;
  readonly image: string;
  /** "name:port", followed by "/UDP" or "/SCTP" unless it is TCP: "dns:53/UDP". */
  readonly ports?: readonly string[];
  /** Sidecars (init containers with restartPolicy Always): name to ports. */
  readonly sidecars?: Readonly<Record<string, readonly string[]>>;
  /** Containers besides the main one: name to ports. */
  readonly extraContainers?: Readonly<Record<string, readonly string[]>>;
  readonly labels?: Readonly<Record<string, string>>;
  /** The number of pods in each state, in the order of the pods' ordinals. */
  readonly pods: Readonly<Partial<Record<PodState, number>>>;
}

/** The IP families of a pod's addresses, in order: "4" and "6" are single-stack. */
export type Families = '4' | '6' | '46' | '64';

export interface Workload {
  readonly kind: 'Deployment' | 'StatefulSet' | 'DaemonSet' | 'Job';
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly revisions: readonly Revision[];
  /** Gives pods a hostname in this headless Service's domain. */
  readonly subdomain?: string;
  readonly families?: Families;
  readonly hostNetwork?: boolean;
  /** Runs all its pods on this node. */
  readonly node?: string;
  readonly restartPolicy?: 'Always' | 'OnFailure' | 'Never';
  readonly pool?: 'worker' | 'edge';
  /** Omits status fields without effect on endpoints, to keep the manifest of a large workload small. */
  readonly minimalStatus?: boolean;
}

export interface ServicePortRow {
  readonly name?: string;
  readonly port: number;
  readonly targetPort?: number | string;
  readonly protocol?: 'TCP' | 'UDP' | 'SCTP';
  readonly appProtocol?: string;
  readonly nodePort?: number;
}

/** `spec` as in a manifest. */
export interface ServiceRow {
  readonly name: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly spec: {
    readonly type?: 'ClusterIP' | 'NodePort' | 'LoadBalancer' | 'ExternalName';
    readonly selector?: Readonly<Record<string, string>>;
    readonly clusterIP?: 'None';
    readonly externalName?: string;
    readonly ipFamilyPolicy?: 'SingleStack' | 'PreferDualStack' | 'RequireDualStack';
    readonly ipFamilies?: readonly ('IPv4' | 'IPv6')[];
    readonly publishNotReadyAddresses?: boolean;
    readonly sessionAffinity?: 'ClientIP';
    readonly externalTrafficPolicy?: 'Local';
    readonly ports?: readonly ServicePortRow[];
  };
}

/** Manually managed Endpoints of a Service without a selector. */
export interface ManualEndpoints {
  readonly name: string;
  readonly subsets: readonly {
    readonly addresses: readonly { readonly ip: string }[];
    readonly ports: readonly { readonly name?: string; readonly port: number }[];
  }[];
}

export interface NamespaceTable {
  readonly namespace: string;
  readonly services: readonly ServiceRow[];
  readonly workloads: readonly Workload[];
  readonly endpoints?: readonly ManualEndpoints[];
}
