import { spawn } from 'node:child_process'
import { constants, setPriority } from 'node:os'

/**
 * Runs the checks of `npm test` beside each other: types, lint and format. What a check prints is shown when it ends. With a command as
 * arguments, the checks run beside it with a lower priority: the tests often wait, and the checks use that time.
 *
 * The status is that of a failure if anything fails, and the last line names what did.
 */
const checks = ['types', 'lint', 'format:check']

/** Runs a command, and returns whether it succeeded. @param onStart called with its process */
function run(command, args, options, onStart) {
  const child = spawn(command, args, options)
  onStart?.(child)
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => resolve(code === 0 ? undefined : (signal ?? `status ${code}`)))
  })
}

/** Runs a script of `package.json`, and prints its output with a heading. Returns its name if it fails. */
async function check(script) {
  const start = performance.now()
  const output = []
  const stdio = ['ignore', 'pipe', 'pipe']
  const failure = await run('npm', ['run', '--silent', script], { stdio }, (child) => {
    if (command !== undefined && child.pid !== undefined)
      setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL)
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => output.push(data))
  })
  const seconds = ((performance.now() - start) / 1000).toFixed(0)
  const outcome = failure === undefined ? 'passed' : `failed (${failure})`
  process.stdout.write(`\n== npm run ${script}: ${outcome} after ${seconds} s\n${Buffer.concat(output).toString()}`)
  return failure === undefined ? [] : [`npm run ${script}`]
}

const [command, ...args] = process.argv.slice(2)
const beside = async () => {
  if (command === undefined) return []
  const failure = await run(command, args, { stdio: 'inherit' })
  return failure === undefined ? [] : [`${command} ${args.join(' ')}`]
}
const failed = (await Promise.all([beside(), ...checks.map(check)])).flat()
if (failed.length > 0) {
  console.log(`\n== failed: ${failed.join(', ')}`)
  process.exitCode = 1
}
