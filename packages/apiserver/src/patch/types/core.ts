/** The types of Services, Endpoints, EndpointSlices and small core types (Kubernetes 1.36); type-text.ts describes the notation. */
export const coreTypes = `
ClientIPConfig
  timeoutSeconds:n
ConfigMap
  apiVersion:s binaryData:{}s data:{}s immutable:b kind:s metadata:ObjectMeta
Endpoint
  addresses:[set]s conditions:EndpointConditions deprecatedTopology:{}s hints:*EndpointHints hostname:s nodeName:s
  targetRef:*ObjectReference zone:s
EndpointAddress atomic
  hostname:s ip:s nodeName:s targetRef:*ObjectReference
EndpointConditions
  ready:b serving:b terminating:b
EndpointHints
  forNodes:[]ForNode forZones:[]ForZone
EndpointPort atomic
  appProtocol:s name:s port:n protocol:s
EndpointSlice
  addressType:s apiVersion:s endpoints:[]Endpoint kind:s metadata:ObjectMeta ports:[]discovery.EndpointPort
EndpointSubset
  addresses:[]EndpointAddress notReadyAddresses:[]EndpointAddress ports:[]EndpointPort
Endpoints
  apiVersion:s kind:s metadata:ObjectMeta subsets:[]EndpointSubset
Event
  action:s apiVersion:s count:n eventTime:u firstTimestamp:u involvedObject:ObjectReference kind:s lastTimestamp:u message:s
  metadata:ObjectMeta reason:s related:*ObjectReference reportingComponent:s reportingInstance:s series:*EventSeries source:EventSource
  type:s
EventSeries
  count:n lastObservedTime:u
EventSource
  component:s host:s
EventsEvent
  action:s apiVersion:s deprecatedCount:n deprecatedFirstTimestamp:u deprecatedLastTimestamp:u deprecatedSource:EventSource eventTime:u
  kind:s metadata:ObjectMeta note:s reason:s regarding:ObjectReference related:*ObjectReference reportingController:s
  reportingInstance:s series:*EventSeries type:s
ForNode
  name:s
ForZone
  name:s
Lease
  apiVersion:s kind:s metadata:ObjectMeta spec:LeaseSpec
LeaseSpec
  acquireTime:u holderIdentity:s leaseDurationSeconds:n leaseTransitions:n preferredHolder:s renewTime:u strategy:s
LoadBalancerIngress
  hostname:s ip:s ipMode:s ports:[]PortStatus
LoadBalancerStatus
  ingress:[]LoadBalancerIngress
LocalObjectReference atomic
  name:s=""
Namespace
  apiVersion:s kind:s metadata:ObjectMeta spec:NamespaceSpec status:NamespaceStatus
NamespaceCondition
  lastTransitionTime:u message:s reason:s status:s type:s=""
NamespaceSpec
  finalizers:[]s
NamespaceStatus
  conditions:[type]NamespaceCondition|merge|type phase:s
ObjectReference atomic
  apiVersion:s fieldPath:s kind:s name:s namespace:s resourceVersion:s uid:s
PortStatus
  error:s port:n protocol:s
Secret
  apiVersion:s data:{}s immutable:b kind:s metadata:ObjectMeta stringData:{}s type:s
Service
  apiVersion:s kind:s metadata:ObjectMeta spec:ServiceSpec status:ServiceStatus
ServiceAccount
  apiVersion:s automountServiceAccountToken:b imagePullSecrets:[]LocalObjectReference kind:s metadata:ObjectMeta
  secrets:[name]ObjectReference|merge|name
ServicePort
  appProtocol:s name:s nodePort:n port:n=0 protocol:s="TCP" targetPort:deduced
ServiceSpec
  allocateLoadBalancerNodePorts:b clusterIP:s clusterIPs:[]s externalIPs:[]s externalName:s externalTrafficPolicy:s
  healthCheckNodePort:n internalTrafficPolicy:s ipFamilies:[]s ipFamilyPolicy:s loadBalancerClass:s loadBalancerIP:s
  loadBalancerSourceRanges:[]s ports:[port,protocol]ServicePort|merge|port publishNotReadyAddresses:b selector:{!}s sessionAffinity:s
  sessionAffinityConfig:*SessionAffinityConfig trafficDistribution:s type:s
ServiceStatus
  conditions:[type]Condition|merge|type loadBalancer:LoadBalancerStatus
discovery.EndpointPort atomic
  appProtocol:s name:s port:n protocol:s
`;
