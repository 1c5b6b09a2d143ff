import { spawn } from 'node:child_process'

/**
 * Runs the checks of `npm test` that need no built code beside each other. What a check prints is shown when it ends. The
 * status is that of a failure if one of them fails.
 */
const checks = ['types', 'lint', 'format:check']

/** Runs a script of `package.json`, and prints its output with a heading. Returns whether it succeeded. */
function run(script) {
  const start = performance.now()
  const child = spawn('npm', ['run', '--silent', script], { stdio: ['ignore', 'pipe', 'pipe'] })
  const output = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => output.push(data))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => {
      const outcome = code === 0 ? 'passed' : `failed (${signal ?? `status ${code}`})`
      const seconds = ((performance.now() - start) / 1000).toFixed(0)
      process.stdout.write(`\n== npm run ${script}: ${outcome} after ${seconds} s\n${Buffer.concat(output).toString()}`)
      resolve(code === 0)
    })
  })
}

const passed = await Promise.all(checks.map(run))
process.exitCode = passed.every(Boolean) ? 0 : 1
