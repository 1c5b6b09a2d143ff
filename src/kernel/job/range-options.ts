/** Range of a list that is read a part at a time. */
export interface RangeOptions {
  /** Entries to skip. @default 0 */
  skip?: number
  /** Entries to return. @default 100 */
  limit?: number
}
