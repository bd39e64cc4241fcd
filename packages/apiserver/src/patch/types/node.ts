/** The types of Nodes (Kubernetes 1.36); type-text.ts describes the notation. */
export const nodeTypes = `
AttachedVolume
  devicePath:s name:s
ConfigMapNodeConfigSource
  kubeletConfigKey:s name:s namespace:s resourceVersion:s uid:s
ContainerImage
  names:[]s sizeBytes:n
DaemonEndpoint
  Port:n
Node
  apiVersion:s kind:s metadata:ObjectMeta spec:NodeSpec status:NodeStatus
NodeAddress
  address:s type:s=""
NodeCondition
  lastHeartbeatTime:u lastTransitionTime:u message:s reason:s status:s type:s=""
NodeConfigSource
  configMap:*ConfigMapNodeConfigSource
NodeConfigStatus
  active:*NodeConfigSource assigned:*NodeConfigSource error:s lastKnownGood:*NodeConfigSource
NodeDaemonEndpoints
  kubeletEndpoint:DaemonEndpoint
NodeFeatures
  supplementalGroupsPolicy:b
NodeRuntimeHandler
  features:*NodeRuntimeHandlerFeatures name:s
NodeRuntimeHandlerFeatures
  recursiveReadOnlyMounts:b userNamespaces:b
NodeSpec
  configSource:*NodeConfigSource externalID:s podCIDR:s podCIDRs:[set]s|merge providerID:s taints:[]Taint unschedulable:b
NodeStatus
  addresses:[type]NodeAddress|merge|type allocatable:{}u capacity:{}u conditions:[type]NodeCondition|merge|type config:*NodeConfigStatus
  daemonEndpoints:NodeDaemonEndpoints declaredFeatures:[]s features:*NodeFeatures images:[]ContainerImage nodeInfo:NodeSystemInfo
  phase:s runtimeHandlers:[]NodeRuntimeHandler volumesAttached:[]AttachedVolume volumesInUse:[]s
NodeSwapStatus
  capacity:n
NodeSystemInfo
  architecture:s bootID:s containerRuntimeVersion:s kernelVersion:s kubeProxyVersion:s kubeletVersion:s machineID:s operatingSystem:s
  osImage:s swap:*NodeSwapStatus systemUUID:s
Taint
  effect:s key:s timeAdded:u value:s
`;
