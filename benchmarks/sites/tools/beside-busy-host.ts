/** Computes half of the time, in parts of 20 ms, as a host that has much to do. */
export async function besideBusyHost<T>(work: () => Promise<T>): Promise<T> {
  const timer = setInterval(() => {
    const end = performance.now() + 20
    while (performance.now() < end);
  }, 40)
  try {
    return await work()
  } finally {
    clearInterval(timer)
  }
}
