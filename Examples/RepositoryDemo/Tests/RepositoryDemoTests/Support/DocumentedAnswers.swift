import RepositoryCore

/// Bodies as the documentation of GitHub's REST API shows them, with all that is not read here.
enum DocumentedAnswers {
  static func id(_ name: String) -> RepositoryID {
    guard let id = RepositoryID(name) else { fatalError("'\(name)' is no repository's name") }
    return id
  }

  static func search(_ repositories: String..., total: Int? = nil) -> String {
    """
    {"total_count": \(total ?? repositories.count), "incomplete_results": false,
     "items": [\(repositories.joined(separator: ","))]}
    """
  }

  static func repository(_ name: String = "octocat/Hello-World", stars: Int = 80) -> String {
    let parts = name.split(separator: "/")
    let api = "https://api.github.com/repos/\(name)"
    return """
      {
        "id": 1296269, "node_id": "MDEwOlJlcG9zaXRvcnkxMjk2MjY5", "name": "\(parts[1])",
        "full_name": "\(name)", "owner": \(owner(parts[0])), "private": false,
        "html_url": "https://github.com/\(name)", "description": "This your first repo!",
        "fork": false, "url": "\(api)",
        "archive_url": "\(api)/{archive_format}{/ref}", "keys_url": "\(api)/keys{/key_id}",
        "git_url": "git:github.com/\(name).git", "mirror_url": null,
        "homepage": null, "language": "C", "forks_count": 9, "forks": 9,
        "stargazers_count": \(stars), "watchers_count": \(stars), "watchers": \(stars),
        "size": 108, "default_branch": "main", "open_issues_count": 4, "open_issues": 4,
        "is_template": true, "topics": ["octocat", "atom"], "has_issues": true,
        "has_projects": true, "has_wiki": true, "has_pages": false, "has_downloads": true,
        "has_discussions": false, "archived": false, "disabled": false, "visibility": "public",
        "pushed_at": "2011-01-26T19:06:43Z", "created_at": "2011-01-26T19:01:12Z",
        "updated_at": "2011-01-26T19:14:43Z",
        "permissions": {"pull": true, "push": false, "admin": false},
        "security_and_analysis": {"secret_scanning": {"status": "enabled"}},
        "template_repository": null, "temp_clone_token": "", "subscribers_count": 42,
        "network_count": 0, "score": 1,
        "license": {"key": "mit", "name": "MIT License", "spdx_id": "MIT",
          "url": "https://api.github.com/licenses/mit", "node_id": "MDc6TGljZW5zZW1pdA=="}
      }
      """
  }

  private static func owner(_ login: Substring) -> String {
    """
    {"login": "\(login)", "id": 1, "node_id": "MDQ6VXNlcjE=", "gravatar_id": "",
     "avatar_url": "https://github.com/images/error/octocat_happy.gif",
     "followers_url": "https://api.github.com/users/\(login)/followers",
     "type": "User", "site_admin": false}
    """
  }

  /// A repository with as few fields as GitHub may send.
  static let bare = """
    {"id": 1, "full_name": "octocat/bare", "description": null, "language": null,
     "homepage": null, "stargazers_count": 0, "forks_count": 0, "open_issues_count": 0,
     "license": null, "topics": [], "pushed_at": null, "updated_at": "2011-01-26T19:14:43Z"}
    """

  /// A README as it is sent unless the raw format is requested.
  static let readme = """
    {"type": "file", "encoding": "base64", "size": 8, "name": "README.md", "path": "README.md",
     "content": "IyBIZWxsbw==\\n", "sha": "3d21ec53a331a6f037a91c368710b99387d012c1"}
    """

  static func message(_ text: String) -> String {
    #"{"message": "\#(text)", "documentation_url": "https://docs.github.com/rest"}"#
  }
}
