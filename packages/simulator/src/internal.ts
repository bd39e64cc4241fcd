/** Internals for the other packages and for conformance tests. Not covered by semantic versioning. */

export { adversaries, type RunPlan } from './analysis/adversaries.ts';
export { checkScenario } from './analysis/check.ts';
export { completeWorld } from './analysis/complete-world.ts';
export { createDrainScenario } from './analysis/drain.ts';
export { type ClientSettings, clientDefaults } from './analysis/drop.ts';
export { findFailures } from './analysis/failures.ts';
export type { Period } from './analysis/periods.ts';
export { createRolloutScenario } from './analysis/rollout.ts';
export { type Run, runScenario, type Scenario, startScenario } from './analysis/scenario.ts';
export { type FoundFix, findFix } from './analysis/search.ts';
export type { View } from './analysis/views.ts';
export type { World } from './analysis/world.ts';
export { type Cluster, type ClusterOptions, createCluster } from './cluster/cluster.ts';
export type { NodeContext, PodHost, StatusWriter } from './cluster/kubelet/context.ts';
export { createImages } from './cluster/kubelet/images.ts';
export { createPodHost } from './cluster/kubelet/pod-host.ts';
export { handleDeletion, receivePod, updatePod } from './cluster/kubelet/pod-loop.ts';
export { startScheduler } from './cluster/scheduler.ts';
export { createWatchHub, type WatchHub } from './cluster/watches.ts';
export { createCache, type ObjectCache } from './controller/cache.ts';
export {
  type Cache,
  type Call,
  type Change,
  type Controller,
  type ControllerContext,
  type Effect,
  type EventEffect,
  type Queue,
  type Steps,
  SyncError,
} from './controller/controller.ts';
export { createWorkQueue, type WorkQueue } from './controller/queue.ts';
export { createWorker, type PendingCall, type Worker, type WorkerHost } from './controller/worker.ts';
export type { Application, StartApplication } from './engine/application.ts';
export { createClock, type HostClock } from './engine/clock.ts';
export {
  type ChooseDelay,
  createBoundChoice,
  createRandomChoice,
  type DelayRange,
  type DelayRanges,
  type DelayRequest,
} from './engine/delays.ts';
export { type MeasuredDelay, measureDelays, measureWrites } from './engine/measure.ts';
export { type Bucket, readBuckets } from './engine/metrics.ts';
export type { TimelineEntry } from './engine/timeline.ts';
export {
  type ActionsInput,
  type ActuatedResources,
  type BackOff,
  type BackOffOptions,
  type ComparedResources,
  type ContainerToKill,
  type ContainerToReset,
  type ContainerToUpdate,
  canBeDeleted,
  checkRestartBackOff,
  cleanUpPod,
  computePodActions,
  createBackOff,
  createImagePuller,
  createPodStatusCache,
  createPodWorker,
  createRestartBackOff,
  effectiveGracePeriod,
  endOfShutdownGroup,
  groupPodsForShutdown,
  hashContainer,
  type ImageDecision,
  type ImageError,
  type ImageEvent,
  type ImagePuller,
  type ImageRequest,
  isContainerChanged,
  isKubeletStatusEqual,
  isRestartCleanedUp,
  type KillContainerOptions,
  type KilledContainer,
  type KilledPod,
  type KillPodOptions,
  type KillReason,
  type KillRequest,
  type KubeletContainer,
  type KubeletPod,
  type KubeletProbe,
  killContainer,
  killPod,
  type LifecycleHandler,
  minGracePeriodSeconds,
  type PodActions,
  type PodSpec,
  type PodStatusCache,
  type PodStatusCacheOptions,
  type PodUpdate,
  type PodWork,
  type PodWorker,
  type PodWorkerOptions,
  type Requeue,
  type ResizableResource,
  type Resources,
  type RestartBackOffOptions,
  type RestartDelay,
  type RuntimeContainer,
  type RuntimeSandbox,
  type RuntimeStatus,
  restartBackOffKey,
  type ShutdownConfig,
  type ShutdownGroup,
  type ShutdownPeriod,
  type StopBehaviour,
  type StoredProbeResult,
  type SyncResult,
  type SyncStep,
  type SyncSteps,
  shouldAllContainersRestart,
  shouldContainerBeRestarted,
  shutdownPeriods,
  shutdownStatus,
  statusSyncPeriod,
  syncPod,
  type TerminationStep,
  type TerminationSteps,
  terminatePod,
  terminateStatus,
  terminationGracePeriod,
  type WorkerState,
  type WorkerStep,
} from './kubelet/index.ts';
export { type ApplicationSettings, applicationDefaults } from './network/application.ts';
export { createRouter } from './network/router.ts';
export { type Cause, findCauses } from './recording/causes.ts';
export { type Delay, type HopName, hops } from './recording/hops.ts';
export { type ReadOptions, type RecordingSource, readRecording } from './recording/read-recording.ts';
export { createScenario } from './recording/scenario.ts';
export { describeService, type EmptyPeriod, type ServiceHistory } from './recording/service-history.ts';
export type { ServiceName } from './recording/service-state.ts';
export type { Transition } from './recording/service-sweep.ts';
export { type History, type ObjectVersion, RecordingError, type TimeRange } from './recording/types.ts';
export { type ServiceSnapshot, snapshotService, type Why } from './recording/why-empty.ts';
export { type ClusterNodes, createClusterNodes } from './scheduler/cluster-nodes.ts';
export { printFitError } from './scheduler/fit-error.ts';
export { createPodInfo, type NodeInfo } from './scheduler/node-info.ts';
export { bestNodes, type FeasibleNodes, findFeasibleNodes, type NodeScore, scoreNodes } from './scheduler/placement.ts';
export type { Cycle as SchedulingCycle } from './scheduler/plugin.ts';
export { createScheduler } from './scheduler/scheduler.ts';
export type { Node as SchedulerNode, Pod as SchedulerPod } from './scheduler/types.ts';
export { createDaemonSetControllers } from './workloads/daemon-set/controller.ts';
export { createDeploymentController } from './workloads/deployment/controller.ts';
export { createDisruptionControllers } from './workloads/disruption/controller.ts';
export { createJobControllers } from './workloads/job/controller.ts';
export { createNodeLifecycleControllers } from './workloads/node-lifecycle/controller.ts';
export { nodeLifecycleDefaults } from './workloads/node-lifecycle/options.ts';
export { createReplicaSetController } from './workloads/replica-set/controller.ts';
export { createStatefulSetController } from './workloads/stateful-set/controller.ts';
export { createTaintEvictionController } from './workloads/taint-eviction/controller.ts';
