import { useEffect, useState } from 'react'
import texts from '../texts.json'

export const getStaticProps = () => {
  const { title, sentences } = texts['next-list']
  const posts = sentences.map((excerpt, id) => ({ id, title: `Part ${id + 1} of the story`, excerpt }))
  return { props: { title, posts } }
}

/** A list that is sorted as its reader likes it, and so is shown in the browser only. */
const Page = ({ title, posts }) => {
  const [isHere, setHere] = useState(false)
  useEffect(() => setHere(true), [])
  if (!isHere) return null
  return (
    <main>
      <h1>{title}</h1>
      {posts.map((post) => (
        <section key={post.id}>
          <h2>{post.title}</h2>
          <p>{post.excerpt}</p>
        </section>
      ))}
    </main>
  )
}
export default Page
