import type { Feature } from '../kernel/engine/feature.js'
import { permissions } from './permissions/index.js'
import { twins } from './twins/index.js'

// The types of its options and of its part of a document: `tsc` drops an import that no declaration needs, and with it what a
// feature adds to the types of others.
export type { PermissionFields, PermissionOptions } from './permissions/index.js'
export type { Permission, Permissions, PermissionStatement, StatedUses, Use } from './permissions/permissions.js'
export type { TwinMetadata, TwinOptions } from './twins/index.js'

/**
 * The features of trawl, in order: a step runs after those before it. Without its line, and the lines above that name its folder,
 * a feature is gone.
 *
 * @internal
 */
export const features: readonly Feature[] = [permissions, twins]
