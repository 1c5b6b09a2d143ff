'use client'
import { useSearchParams } from 'next/navigation'

export const ByQuery = ({ post }) => {
  const size = useSearchParams().get('size') ?? 'normal'
  return (
    <main className={size}>
      <h1>{post.title}</h1>
      {post.paragraphs.map((paragraph) => (
        <p key={paragraph}>{paragraph}</p>
      ))}
    </main>
  )
}
