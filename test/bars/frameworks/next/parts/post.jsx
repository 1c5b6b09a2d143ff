'use client'

/** A post as a content system keeps it: its body is HTML. */
const Post = ({ post }) => (
  <main>
    <h1>{post.title}</h1>
    <div dangerouslySetInnerHTML={{ __html: post.contentHtml }} />
  </main>
)
export default Post
