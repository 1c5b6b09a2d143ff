/** Records that end when they are told to. */
export function createRecords() {
  const running: (() => void)[] = []
  return {
    record: () => new Promise<void>((resolve) => void running.push(resolve)),
    endOne: () => running.shift()?.(),
    get count() {
      return running.length
    },
  }
}
