import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** Checks before `npm publish`, which runs it, that all is of one version and committed, and the repository has its address. Prints what is wrong, a line each. */
const root = new URL('../', import.meta.url)
const read = (file) => readFileSync(new URL(file, root), 'utf8')
const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()

const { version, homepage, bugs, repository } = JSON.parse(read('package.json'))
const locked = JSON.parse(read('package-lock.json')).version
const source = /VERSION = '([^']*)'/.exec(read('src/base/runtime/version.ts'))?.[1]
const heading = new RegExp(`^## ${version.replaceAll('.', '\\.')} - \\d{4}-\\d\\d-\\d\\d$`, 'm')
/** The address of the repository, without which the links of the README lead nowhere where npm shows it. */
const addresses = { homepage, 'bugs.url': bugs?.url, 'repository.url': repository?.url }
const faults = [
  ...Object.entries(addresses).map(
    ([name, address]) =>
      !/^(git\+)?https:\/\/(?!.*OWNER)/.test(address ?? '') &&
      `package.json: ${name} is ${address}: set the address of the repository in place of OWNER`,
  ),
  locked !== version && `package-lock.json is of ${locked}, package.json of ${version}: run npm install`,
  source !== version && `src/base/runtime/version.ts is of ${source}, package.json of ${version}: set it there, too`,
  !heading.test(read('CHANGELOG.md')) &&
    `CHANGELOG.md has no heading "## ${version} - <date>": move "Unreleased" there`,
  git('status', '--porcelain') !== '' && 'the working tree has changes: commit them',
  git('tag', '--list', `v${version}`) !== '' && `the tag v${version} is there already: set a new version`,
].filter(Boolean)

console.log(faults.length === 0 ? `${version} is ready: npm publish, then git tag v${version}` : faults.join('\n'))
process.exitCode = faults.length === 0 ? 0 : 1
