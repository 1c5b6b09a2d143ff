import { setTimeout as sleep } from 'node:timers/promises'
import { Suspense } from 'react'
import texts from '../../texts.json'
import { Article } from '../../parts/article.jsx'

const Late = async () => {
  await sleep(300)
  return <Article text={texts['app-stream']} />
}
const Page = () => (
  <Suspense fallback={<p>One moment</p>}>
    <Late />
  </Suspense>
)
export default Page
