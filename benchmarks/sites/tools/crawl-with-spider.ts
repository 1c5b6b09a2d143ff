import type { CrawlOutput, Task } from '../../speed/measure.js'

/** A binding of Spider, a crawler in Rust: `npm install --no-save @spider-rs/spider-rs` and its package for this system. */
interface SpiderBinding {
  readonly Website: new (url: string) => {
    crawl(): Promise<void>
    getLinks(): string[]
    withBudget(budget: object): void
    withDepth(depth: number): void
  }
}

export async function withSpider({ start, limit, fromStartOnly }: Task): Promise<CrawlOutput> {
  const binding = '@spider-rs/spider-rs'
  const { Website } = (await import(binding)) as SpiderBinding
  const website = new Website(start)
  if (limit !== undefined) website.withBudget({ '*': limit })
  if (fromStartOnly) website.withDepth(1)
  await website.crawl()
  return { urls: website.getLinks(), characters: 0 }
}
